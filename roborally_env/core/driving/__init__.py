"""Playing many games: the driver, play between two decisions, and rewards."""
