"""Courses as text: each drawing reads back, equals the facts; each course can be finished; each mistake is told."""
