"""Draws are the words of SplitMix64, however many are made ahead."""

import pytest

from roborally_env.generated.draws import Draws

# the first words of the published generator from state 0
FIRST = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B)


def test_words_are_those_of_splitmix64() -> None:
    draws = Draws()
    assert tuple(draws.word() for _ in FIRST) == FIRST


@pytest.mark.parametrize("drawn", [0, 1, 127, 128, 129, 300])
def test_a_stream_goes_on_from_its_state(drawn: int) -> None:
    draws, other = Draws(7, 3), Draws(5)
    for _ in range(drawn):
        draws.word()
    other.word()
    other.state = draws.state
    assert [draws.word() for _ in range(300)] == [other.word() for _ in range(300)]
    assert draws.state == other.state


def test_all_draws_take_one_word_each_in_order() -> None:
    words, draws = Draws(2), Draws(2)
    items = list(range(200))
    shuffled = draws.shuffled(items)
    for i in range(199, 0, -1):
        j = words.word() * (i + 1) >> 64
        items[i], items[j] = items[j], items[i]
    assert shuffled == items
    assert draws.below(10) == words.word() * 10 >> 64
    assert draws.chance(0.5) == (words.word() < 2**63)
    assert draws.state == words.state
