"""The parts of a tournament: who sits where, playing, statistics, the plot and the files."""
