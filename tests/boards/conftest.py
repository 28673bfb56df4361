"""Course files that are written, read and checked."""

import pytest

from roborally_env.courses import check_file


@pytest.fixture
def read(tmp_path):
    """Reads a text as a course file; gives the course and its mistakes as lines, less the folder's name."""

    def run(text, name="my.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        course, problems = check_file(path)
        assert (course is None) == bool(problems)
        return course, [str(problem).replace(f"{tmp_path}/", "") for problem in problems]

    return run


@pytest.fixture
def check(read):
    """Gives the mistakes alone."""
    return lambda *text_and_name: read(*text_and_name)[1]
