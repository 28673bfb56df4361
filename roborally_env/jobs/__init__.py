"""A job in parts: a folder that keeps each finished part, from which the same job goes on."""
