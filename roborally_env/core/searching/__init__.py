"""Searches: distances on a course, programs alone on it, programs among the others."""
