"""The line-up of game g: every agent plays each seat equally often, against all others."""

from itertools import combinations

MAX_AGENTS = 12


class LineUps:
    """The line-up of each game by its number.

    Games come in blocks of `players` games. In a block the same agents play and move on by one seat from game to game.
    The next block takes the next group of agents. With as many agents as players all play every game; with fewer, some
    have two seats, in turn; with more, the order of groups keeps the numbers of races of all pairs nearly equal.
    """

    def __init__(self, agents: int, players: int) -> None:
        self.players = players
        self._groups = _groups(agents, players)

    def seats(self, game: int) -> tuple[int, ...]:
        """The number of the agent in each seat of game `game`."""
        block, shift = divmod(game, self.players)
        group = self._groups[block % len(self._groups)]
        return tuple(group[(seat + shift) % self.players] for seat in range(self.players))


def _groups(agents: int, players: int) -> list[tuple[int, ...]]:
    if agents < players:
        return [tuple((seat + extra) % agents for seat in range(players)) for extra in range(agents)]
    return _balanced(list(combinations(range(agents), players)), agents)


def _balanced(groups: list[tuple[int, ...]], agents: int) -> list[tuple[int, ...]]:
    """The groups in an order that always takes the one whose agents, then pairs, have played least."""
    races = [0] * agents
    meetings = [[0] * agents for _ in range(agents)]
    ordered = []
    while groups:
        chosen = min(groups, key=lambda g: (sum(races[a] for a in g), sum(meetings[a][b] for a in g for b in g)))
        groups.remove(chosen)
        ordered.append(chosen)
        for a in chosen:
            races[a] += 1
            for b in chosen:
                meetings[a][b] += 1
    return ordered
