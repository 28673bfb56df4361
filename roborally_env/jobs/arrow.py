"""pyarrow, imported when it is used."""

from __future__ import annotations

from types import ModuleType
from typing import cast

from roborally_env.base.errors import RoboRallyError

NO_PYARROW = 'self-play data needs pyarrow, which is not installed; pip install "roborally_env[data]" gives it'


def import_pyarrow() -> ModuleType:
    """pyarrow, with its parts for Parquet, filters and file systems.

    Raises:
        RoboRallyError: where it is not installed, with the extra that has it.
    """
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.fs
        import pyarrow.parquet
    except ImportError:
        raise RoboRallyError(NO_PYARROW) from None
    return cast(ModuleType, pyarrow)
