"""What the rules of the 2005 edition are made of; `race2005.py` has their order."""
