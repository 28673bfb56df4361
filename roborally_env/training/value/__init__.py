"""The chance to win, purchases and power downs, learned from races of bots."""
