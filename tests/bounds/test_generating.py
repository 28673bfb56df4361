"""No kernel that makes, proves, grades or changes courses reads or writes outside its arrays.

Two editions suffice: one of them has riding checkpoints and ramps."""

import pytest

from roborally_env.courses import list_courses
from roborally_env.evaluation.grades import estimate
from roborally_env.generated import Generator, mutate, proof_of

WITHOUT_PROOF = {"2005": {"moving_targets"}, "community": set()}
OPTIONS = ({"difficulty": 4}, {"way": "made", "difficulty": 2}, {"fair": True, "difficulty": 1})


def raced(edition):
    """The courses that are a race."""
    return [course for course in list_courses(edition) if course.docks and course.checkpoints]


@pytest.mark.parametrize("edition", WITHOUT_PROOF)
def test_proofs_of_printed_courses(edition):
    assert {course.slug for course in raced(edition) if proof_of(course).problem} == WITHOUT_PROOF[edition]


@pytest.mark.parametrize("edition", WITHOUT_PROOF)
def test_grades_of_printed_courses(edition):
    for course in raced(edition):
        estimate(course)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options))
@pytest.mark.parametrize("edition", WITHOUT_PROOF)
def test_courses_that_are_generated_and_changed(edition, options):
    course = Generator(edition=edition, seed=5, **options).course()
    assert not proof_of(mutate(course, 1)).problem
