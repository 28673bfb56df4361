"""The former name of `roborally_env.generated`."""

import warnings

from roborally_env.courses.catalogue import is_generated as is_specification
from roborally_env.generated import (
    Generator,
    Proof,
    Specification,
    attempts,
    generates,
    generator_for,
    mutate,
    parse_specification,
    proof_of,
)

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

warnings.warn("roborally_env.courses.generate is now roborally_env.generated", DeprecationWarning, stacklevel=2)
