"""Courses without end, from a seed and a specification."""

from roborally_env.courses.generate.generator import Generator
from roborally_env.courses.generate.specification import Specification, parse_specification

__all__ = ["Generator", "Specification", "parse_specification"]
