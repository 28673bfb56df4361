"""Which courses the batches of a training run have."""

from collections import Counter

import pytest

from roborally_env import CourseError
from roborally_env.generated.draws import Draws
from roborally_env.generated.mixture import Mixture


def test_named_courses_alone_are_every_batch_as_they_are_given() -> None:
    mixture = Mixture(["twister", "dizzy_highway"])
    assert mixture.batch(0, 1, 32, 0.5) == mixture.batch(7, 2, 32, 0.5) == ["twister", "dizzy_highway"]


def test_a_batch_has_all_named_courses_and_generated_ones_of_its_own() -> None:
    mixture = Mixture(["twister", "generated:seed=3", "dizzy_highway", "burnout"])
    batches = [mixture.batch(number, 1, 30, 2 / 3) for number in range(4)]
    assert batches[1] == mixture.batch(1, 1, 30, 2 / 3)
    assert batches[1] != mixture.batch(1, 2, 30, 2 / 3)
    for batch in batches:
        named = Counter(name for name in batch if not name.startswith("generated:"))
        assert (len(batch), sum(named.values()), set(named)) == (30, 10, {"twister", "dizzy_highway", "burnout"})
        assert max(named.values()) - min(named.values()) <= 1
    generated = [name for batch in batches for name in batch if name.startswith("generated:")]
    assert len(generated) == len(set(generated)) == 80
    # what does not divide evenly goes round: over three batches every named course has had the same share
    assert set(Counter(name for batch in batches[:3] for name in batch if name in mixture.named).values()) == {10}


def test_many_named_courses_all_find_room() -> None:
    mixture = Mixture(["twister", "dizzy_highway", "burnout", "generated"])
    batch = mixture.batch(0, 1, 1, 0.5)
    assert set(mixture.named) <= set(batch)
    assert len(batch) == 6


@pytest.mark.parametrize(("levels", "count"), [(1, 1), (10, 10), (100, 32)])
def test_of_few_levels_each_comes_before_one_comes_again(levels: int, count: int) -> None:
    batch = Mixture([f"generated:levels={levels}"]).batch(0, 1, 32, 0.5)
    assert len(batch) == 32
    counts = Counter(batch)
    assert len(counts) == count
    assert max(counts.values()) - min(counts.values()) <= 1


def test_several_generators_are_drawn_alike_and_an_exhausted_one_no_more() -> None:
    mixture = Mixture(["generated:seed=1,number=4", "generated:seed=2,levels=2"])
    draws, known = Draws(1), set()
    while (name := mixture.fresh(draws, known)) is not None:
        known.add(name)
    assert known == {"generated:seed=1,number=4", "generated:seed=2,number=0", "generated:seed=2,number=1"}


def test_texts_are_loaded_as_the_edition_races_them() -> None:
    mixture = Mixture(["twister", "generated:seed=5"], "2023")
    twister, made = (mixture.course(name) for name in mixture.examples(2))
    assert (twister.slug, twister.edition, made.edition) == ("twister", "2023", "2023")
    assert made == mixture.course(mixture.examples(2)[1])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "courses"),
        (["dizy_highway"], "dizzy_highway"),
        (["generated:leveles=3"], "'leveles'"),
        (["generated:edition=2005", "twister"], "edition=2005:.*edition 2016"),
    ],
)
def test_wrong_courses_raise_a_one_line_error(texts: list[str], message: str) -> None:
    with pytest.raises(CourseError, match=message):
        Mixture(texts, "2016")
