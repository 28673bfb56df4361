"""Courses without end, from a seed and a specification; and every way to name a course (`resolve`).

from roborally_env.generated import Generator, mutate

course = Generator(difficulty=3, seed=7).course(0)
harder = mutate(course, seed=1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roborally_env.generated.generator import Generator, attempts, generator_for
    from roborally_env.generated.given import mutate, proof_of
    from roborally_env.generated.proof import Proof
    from roborally_env.generated.specification import Specification, generates, parse_specification

__all__ = [
    "Generator",
    "Proof",
    "Specification",
    "attempts",
    "generates",
    "generator_for",
    "mutate",
    "parse_specification",
    "proof_of",
]


def __getattr__(name: str) -> Any:
    """A public name, imported at first use: loading a course of the package needs no compiled code."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from roborally_env.generated import generator, given, proof, specification

    if name in ("mutate", "proof_of"):
        return getattr(given, name)
    if name in ("Generator", "attempts", "generator_for"):
        return getattr(generator, name)
    return getattr(proof if name == "Proof" else specification, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
