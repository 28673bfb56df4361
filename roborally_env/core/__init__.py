"""The compiled core: state, chance, piles, mechanics and the editions' rounds. Imports NumPy and Numba only."""
