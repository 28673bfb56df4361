"""The processor time of each test file and test, compiling and started processes included: `pytest --cpu-times FILE`.

On a busy machine the clock says little. Each test process measures its own tests and hands the sums over with its
reports; the first process adds them, writes those of files as JSON, and prints what takes most: folders, files, tests.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MOST = 25  # files and tests that are printed


def seconds() -> float:
    """Processor seconds of this process and of those of its children that have ended."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


class CpuTimes:
    """A plugin that measures every test."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.files: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Note in the report of each phase what it took since the report before."""
        report: Any = yield
        now = seconds()
        report.user_properties.append(("cpu", round(now - getattr(self, "before", now), 4)))
        self.before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up; with several processes this is called in the first one too."""
        spent = [value for name, value in report.user_properties if name == "cpu"]
        self.files[report.nodeid.partition("::")[0]] += spent[-1] if spent else 0.0
        self.tests[report.nodeid] += spent[-1] if spent else 0.0

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write the file, and print what takes most."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        rounded = {name: round(spent, 1) for name, spent in self.files.most_common()}
        self.path.write_text(json.dumps(rounded, indent=0), encoding="utf-8")
        folders: Counter[str] = Counter()
        for name, spent in self.files.items():
            folders[str(Path(name).parent)] += spent
        terminalreporter.section(f"processor time: {sum(self.files.values()):.0f} s")
        for name, spent in [*folders.most_common(), *self.files.most_common(MOST), *self.tests.most_common(MOST)]:
            terminalreporter.write_line(f"{spent:8.1f} s  {name}")
