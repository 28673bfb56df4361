"""The editions played slowly: plain Python, written from the rulebooks and apart from the compiled core.

A folder for each edition, what they share beside them. `play(scenario) -> outcome` is in each edition's race.py.
"""
