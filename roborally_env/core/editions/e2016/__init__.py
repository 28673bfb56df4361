"""The 2016 edition; its rules are the defaults of all names in `core.mechanics`."""
