"""What every other part uses: errors, checks of values, files and documents, arrays, processes, the terminal, text."""
