"""One file an edition: its steps in rulebook order, and its cards."""
