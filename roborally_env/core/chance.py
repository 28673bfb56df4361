"""Each game's own counter-based generator (splitmix64 over a key and a counter)."""

import numpy as np

from roborally_env.core.kernel import JIT, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)

if JIT:

    @kernel
    def mix(word):
        """A scrambled uint64 (the splitmix64 finaliser)."""
        word = np.uint64(word)
        word = (word ^ (word >> _30)) * _M1
        word = (word ^ (word >> _27)) * _M2
        return word ^ (word >> _31)

    @kernel
    def stream_word(key, counter):
        """Word number `counter` of the stream `key`; all uint64."""
        return mix(np.uint64(key) + np.uint64(counter) * _GOLDEN)

else:  # the same on Python integers: NumPy's scalars would warn at each wrap-around
    _MASK = (1 << 64) - 1

    def mix(word):
        word = int(word)
        word = ((word ^ (word >> 30)) * int(_M1)) & _MASK
        word = ((word ^ (word >> 27)) * int(_M2)) & _MASK
        return np.uint64(word ^ (word >> 31))

    def stream_word(key, counter):
        return mix((int(key) + int(counter) * int(_GOLDEN)) & _MASK)


@kernel
def key_of(seed, stream):
    """The key of an independent stream of a seed; both uint64."""
    return stream_word(stream_word(seed, _ONE), stream)


@kernel
def course_word(seed, episode):
    """The random word that says on which generated course a race is: word 0 of its stream, which the race itself never
    draws."""
    return stream_word(key_of(seed, episode), np.uint64(0))


@kernel
def random_word(game):
    """The game's next 64 random bits."""
    game.draws += _ONE
    return stream_word(game.key, game.draws)


@kernel
def scaled(word, bound):
    """The upper half of a random word as a number in 0..bound-1 (bound up to 2**16; bias under 2**-16)."""
    return np.int64(((word >> _32) * np.uint64(bound)) >> _32)


@kernel
def below(game, bound):
    """A uniform number in 0..bound-1 from the game's generator."""
    return scaled(random_word(game), bound)
