"""Editions are registered when somebody first looks: once, also from several threads, and after an interruption."""

import subprocess
import sys
import threading

import pytest

from roborally_env.base.registry import Late


def test_it_is_filled_once_and_before_anybody_sees_it() -> None:
    calls: list[str] = []
    late: Late[int] = Late()
    started = threading.Barrier(4)

    def load() -> None:
        calls.append("load")
        late["a"] = 1
        assert "b" not in late  # the loader itself sees what there is
        late["b"] = 2

    late.later(load)
    seen: list[dict[str, int]] = []

    def look() -> None:
        started.wait()
        seen.append(dict(late))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == ["load"]
    assert seen == [{"a": 1, "b": 2}] * 4


def test_what_was_interrupted_is_loaded_at_the_next_look() -> None:
    late: Late[int] = Late()
    tries = iter([KeyboardInterrupt, None])

    def load() -> None:
        if (wrong := next(tries)) is not None:
            raise wrong
        late["a"] = 1

    late.later(load)
    with pytest.raises(KeyboardInterrupt):
        list(late)
    assert list(late) == ["a"]


@pytest.mark.slow
def test_the_built_in_editions_are_there_whichever_module_is_imported_first() -> None:
    for first in ("courses", "core.state", "scenario", "agents"):
        code = f"import roborally_env.{first}\nfrom roborally_env.core.state import KINDS\nprint(len(KINDS))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("5\n", "")
