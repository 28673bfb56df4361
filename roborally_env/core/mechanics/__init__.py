"""What happens on the board and to its robots, written once for all editions."""
