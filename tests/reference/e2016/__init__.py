"""The 2016 edition played slowly."""
