"""The steps that every edition has. Numbers in between and above are the edition's own."""

PROGRAM = 4  # waits for the players
OVER = 18  # the race is over
