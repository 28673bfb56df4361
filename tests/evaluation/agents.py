"""Small agents for the tests."""

import numpy as np


class FirstCards:
    """Programs the first five legal cards of the hand; reads the observation and checks that it belongs to the rows."""

    name = "first"
    needs_observation = True

    def __init__(self, seed=0, skip=0):
        self.skip = skip

    def act(self, observations, masks, info):
        assert observations.shape == (len(info.games), info.batch.symbolic_size)
        assert (observations == info.batch.observations["symbolic"][info.games, info.seats]).all()
        programs = np.zeros((len(masks), 5), np.int8)
        for row, mask in enumerate(masks):
            left = list(range(9))
            for register in range(5):
                slot = next(slot for slot in left if mask[register, slot])
                left.remove(slot)
                programs[row, register] = slot
        return programs


class Moody(FirstCards):
    """Not a function of its game: other games of the batch change what it does."""

    name = "moody"
    needs_observation = False

    def act(self, observations, masks, info):
        turns = np.arange(9) + len(info.games)
        return np.tile((turns % 9)[:5].astype(np.int8), (len(masks), 1))


class WrongShape(Moody):
    name = "wrong_shape"

    def act(self, observations, masks, info):
        return np.zeros((len(masks), 4), np.int8)


class WrongRange(Moody):
    name = "wrong_range"

    def act(self, observations, masks, info):
        return np.full((len(masks), 5), 10, np.int8)


class NoAct:
    name = "none"

    def __init__(self, seed=0):
        pass


class Blind:
    name = "blind"

    def __init__(self, seed=0):
        pass

    def act(self, observations, masks, info):
        return np.zeros((len(masks), 5), np.int8)


class BrokenFromTheStart(Moody):
    def __init__(self, seed=0):
        1 / 0  # noqa: B018


class Nameless(Moody):
    name = 7


class Ragged(Moody):
    name = "ragged"

    def act(self, observations, masks, info):
        return [[0], [0, 1]]


class Quits(Moody):
    name = "quits"

    def act(self, observations, masks, info):
        raise SystemExit("enough\nof it")


class Broken(Moody):
    name = "broken"

    def act(self, observations, masks, info):
        return {}["nothing"]
