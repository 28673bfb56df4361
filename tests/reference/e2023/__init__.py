"""The 2023 edition played slowly."""
