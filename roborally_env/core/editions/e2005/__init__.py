"""What the rules of the 2005 edition are made of; `race.py` has their order."""
