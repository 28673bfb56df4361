"""Playing many games: the driver, what lies between two decisions, and what a step was worth."""
