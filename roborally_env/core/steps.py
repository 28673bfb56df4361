"""The steps that every edition has. Each edition defines the numbers in between and above."""

PROGRAM = 4  # waits for the players
OVER = 18  # the race is over
