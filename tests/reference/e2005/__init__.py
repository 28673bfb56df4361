"""The 2005 edition played slowly."""
