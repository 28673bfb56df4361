"""The 2005 edition."""
