"""Files and bytes from a stranger: each is refused in one line, or is safe to use."""
