"""The upgrade cards of the 2016 game: one small function for each card, grouped by the moment at which it acts."""
