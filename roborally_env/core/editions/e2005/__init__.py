"""The rules of the 2005 edition; `race.py` has the order of a turn."""
