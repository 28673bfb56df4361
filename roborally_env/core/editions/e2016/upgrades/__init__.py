"""The upgrade cards of the 2016 game: one small function a card, at the moment at which it acts."""
