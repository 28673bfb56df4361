"""Pictures of courses and of games on them; `render.ansi` draws with characters for the terminal."""
