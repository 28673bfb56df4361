"""The community edition."""
