"""The parts of a tournament: line-ups, playing, statistics, the plot and the files."""
