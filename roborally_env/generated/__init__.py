"""Courses without end, from a seed and a specification.

from roborally_env.courses.generate import Generator, mutate

course = Generator(difficulty=3, seed=7).course(0)
harder = mutate(course, seed=1)
"""

import roborally_env.editions  # noqa: F401  # registers the built-in editions
from roborally_env.courses.generate.generator import Generator, attempts, generator_for
from roborally_env.courses.generate.given import proof_of
from roborally_env.courses.generate.mutating import mutate
from roborally_env.courses.generate.proof import Proof
from roborally_env.courses.generate.specification import Specification, generates, is_specification, parse_specification

__all__ = [
    "Generator",
    "Proof",
    "Specification",
    "attempts",
    "generates",
    "generator_for",
    "is_specification",
    "mutate",
    "parse_specification",
    "proof_of",
]
