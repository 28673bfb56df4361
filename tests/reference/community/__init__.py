"""The community edition played slowly."""
