"""The cards in words: the printed text of each, its rulings, and the names of the options that it offers."""
