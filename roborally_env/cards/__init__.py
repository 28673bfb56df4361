"""The cards in words: what is printed on each, its rulings, and the names of the options that it asks about."""
