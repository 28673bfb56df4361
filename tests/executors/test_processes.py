"""The processes of this machine do the parts of a job, also those that another run began."""

from collections.abc import Callable, Sequence
from typing import Any

from roborally_env.executors import PartialResult
from roborally_env.executors.processes import Processes


class Doubled:
    """Work that doubles numbers, and appends what was known of a part."""

    registry: dict[str, str] = {}  # noqa: RUF012  # as the protocol has it

    def begin(self) -> Sequence[int]:
        return [2]

    def do(self, made: Sequence[int], part: Any, stopped: Callable[[], bool]) -> tuple[int, bytes]:
        number, known = part if isinstance(part, PartialResult) else (part, b"")
        return made[0] * number, known


def test_a_part_that_continues_is_given_back_as_the_part_itself() -> None:
    found = dict(Processes(2).run(Doubled(), [1, PartialResult(2, b"state"), 3]))
    assert found == {1: (2, b""), 2: (4, b"state"), 3: (6, b"")}
