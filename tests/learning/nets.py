"""Networks for tests."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.candidates import FEATURES, OUTCOMES
from roborally_env.agents.network import BUYING


def random_arrays(at: Any, seed: int, hidden: int = 32) -> dict[str, NDArray[np.float32]]:
    """The arrays of a network that has learned nothing, for a layout of features."""
    rng = np.random.default_rng(seed)
    shapes = {
        "own_w": (at.own, hidden), "own_b": (hidden,), "row_w": (at.row, 48), "row_b": (48,),
        "pool_w": (48, hidden), "mid_w": (hidden, hidden), "mid_b": (hidden,),
        "win1_w": (hidden, 64), "win1_b": (64,), "win2_w": (64, 1), "win2_b": (1,),
        "context_w": (hidden, 64), "context_b": (64,), "cand1_w": (FEATURES + OUTCOMES, 64),
        "cand2_w": (64, 32), "cand2_b": (32,), "cand3_w": (32, 1), "skip_w": (FEATURES + OUTCOMES, 1),
        "buy_w": (hidden, BUYING), "buy_b": (BUYING,), "down_w": (hidden, 1), "down_b": (1,),
    }  # fmt: skip
    return {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}


def load_script(name: str) -> Any:
    """A file of scripts/ or scripts/experiments/ as a module."""
    scripts = Path(__file__).parents[2] / "scripts"
    path = next(scripts.rglob(f"{name}.py"))
    spec = importlib.util.spec_from_file_location(f"scripts_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
