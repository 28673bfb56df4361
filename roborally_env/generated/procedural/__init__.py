"""Boards of the generator's own, that look as if someone had designed them."""

from roborally_env.generated.procedural.boards import make_board, paint_board
from roborally_env.generated.procedural.starts import depth_of, make_start_board, symmetry_of

__all__ = ["depth_of", "make_board", "make_start_board", "paint_board", "symmetry_of"]
