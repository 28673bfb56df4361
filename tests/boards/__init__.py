"""Courses as text: each drawing reads back, equals the facts; each course can be finished; mistakes have messages."""
