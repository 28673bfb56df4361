"""The 2016 edition."""
