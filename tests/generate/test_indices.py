"""No kernel that makes, proves, grades or changes courses reads or writes outside its arrays.

Compiled code does not look at that: it would read what lies beside an array, or crash now and then. The kernels of two
editions, of which one has riding checkpoints and ramps, are compiled with such looks."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
from roborally_env.courses import list_courses
from roborally_env.generated import Generator, mutate, proof_of
from roborally_env.errors import RoboRallyError
from roborally_env.grading import foretold

unproved, refused = set(), 0
for edition in ("2005", "community"):
    for course in list_courses(edition):
        if course.docks and course.checkpoints:
            if proof_of(course).problem:
                unproved.add(f"{edition}/{course.slug}")
            try:
                foretold(course)
            except RoboRallyError:
                refused += 1
    for options in ({"difficulty": 4}, {"way": "made", "difficulty": 2}, {"fair": True, "difficulty": 1}):
        course = Generator(edition=edition, seed=5, **options).course()
        assert not proof_of(mutate(course, 1)).problem
print(sorted(unproved), refused)
"""


def test_indices_are_inside_their_arrays(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "ROBORALLY_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['2005/moving_targets'] 0\n"
