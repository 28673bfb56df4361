"""Searches: distances on a course, programs of a robot alone on it, programs among other robots."""
