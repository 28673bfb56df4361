"""The scripts that train with libraries which may not be installed."""

import runpy
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.parametrize(
    ("script", "library", "extra"),
    [("train_torchrl", "torchrl", "torchrl"), ("train_rllib", "ray", "ray"), ("train_openspiel", "torch", "openspiel")],
)
def test_a_library_that_is_missing_is_named_in_one_line(
    script: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SystemExit, match=rf"^{script}: .*{library}.*roborally_env\[{extra}\].*$"):
        runpy.run_path(str(SCRIPTS / f"{script}.py"))
