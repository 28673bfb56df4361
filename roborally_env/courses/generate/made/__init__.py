"""Boards of the generator's own, that look as if someone had designed them."""

from roborally_env.courses.generate.made.boards import make_board
from roborally_env.courses.generate.made.starts import make_start_board, symmetry_of

__all__ = ["make_board", "make_start_board", "symmetry_of"]
