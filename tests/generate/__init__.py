"""Generated courses."""
