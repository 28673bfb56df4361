"""RoboRallyEnv: one seat of a race for Gymnasium, the other seats played by agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Info as Rows
from roborally_env.agents import check_editions, make_agent
from roborally_env.arguments import Courses, course_source
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, check_whole, shown
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch.options import takes
from roborally_env.core.state import REGISTERS
from roborally_env.envs.formats import FormattedEnv, Formatter
from roborally_env.envs.forms import RegisterActions
from roborally_env.envs.make import parallel_env
from roborally_env.envs.options import SeatOptions
from roborally_env.envs.parallel import RENDER_FPS, RENDER_MODES, Info, Observation, Round
from roborally_env.envs.players import PlayerForm
from roborally_env.envs.reset_options import COURSE, SEAT, check_options, chosen_course, chosen_seat
from roborally_env.envs.seat_state import SeatState, chance_of, generator_of, read_seat_state
from roborally_env.envs.snapshots import pack_snapshot, unpack_snapshot
from roborally_env.envs.spaces import OBSERVATIONS, check_observation

_MAX_SEED = 2**64 - 1
OTHERS = 3  # opponents, unless they are listed


_INSTEAD = dict.fromkeys(("players", "control"), "it is set by the number of opponents; pass one for each other seat")


@takes(SeatOptions, "RoboRallyEnv", _INSTEAD)
class RoboRallyEnv(PicklableArrays, gymnasium.Env[Any, Any]):
    """A race against opponents: `gymnasium.make("roborally_env:RoboRally-v0", opponents=["random", "random"])`.

    Observation, action and info are those of one agent of `parallel_env`, with `info["seat"]`; at the end of a race
    `info["is_success"]` says whether the learner has won. It is asked only for its own decisions. A step also plays
    through purchases and choices of other seats, and its reward is the sum over all steps of the race played in it.

    Args:
        opponents: one entry for each other seat, in seat order, or one name for three: the name of an agent
            (`roborally_env.agents`), or an object with `act(observations, masks, info) -> programs`, `choose` if it
            answers choices, and `announce` if it powers down (2005). In Interference each seat is a robot: racer and
            blocker of each player in turn.
        seat: the learner's seat, from 0, or `"random"`: drawn at each reset.
        course: as in `parallel_env`.
    Raises:
        RoboRallyError: for any value outside these.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  # Gymnasium's form

    def __init__(
        self,
        opponents: str | Sequence[Any] = ("random",) * OTHERS,
        seat: str | int = "random",
        course: Courses | None = None,
        **options: Unpack[SeatOptions],
    ) -> None:
        if isinstance(opponents, str):
            opponents = (opponents,) * OTHERS
        self.opponents = _checked_opponents(opponents)
        source = course_source(course, options["edition"])
        check_opponents_play(self.opponents, source.edition)
        each = source.robots_each
        players, rest = divmod(1 + len(self.opponents), each)
        if rest:
            raise RoboRallyError(f"opponents: expected {each} robots a player, got {1 + len(self.opponents)} in all")
        observation = check_observation(options["observation"], OBSERVATIONS)
        inner = options.copy()
        inner.update({"observation": "symbolic" if observation == "vector" else observation})
        inner.update({"infos": "full", "masks": "flat"})
        race = parallel_env(source, players=players, control="robot", **inner)
        assert not isinstance(race, PlayerForm | FormattedEnv)
        self.race = race
        self._formatter = Formatter(race, observation, options["masks"], options["infos"])
        seats = len(self.race.possible_agents)
        if isinstance(seat, str):
            check_choice(seat, "seat", ("random",))
        else:
            check_whole(seat, "seat", 0, seats - 1)
        self.wanted_seat = seat
        self.seat = 0 if isinstance(seat, str) else int(seat)
        self.render_mode = self.race.render_mode
        self.observation_space = self._formatter.space
        self.action_space = self._formatter.action_space
        self._agents: list[Any] = []  # the opponents as objects, in seat order
        self._seeds: list[int] = []  # theirs
        self._programs: dict[int, NDArray[Any]] = {}  # what each opponent's seat plays in this round
        self._announced: dict[int, int] = {}  # 1 where it announces a power down with it
        self._mask: NDArray[np.int8] = np.zeros(0, np.int8)

    def reset(self, *, seed: int | None = None, options: NamedValues | None = None) -> tuple[Any, Info]:
        """Begin the race of `seed`, or without a seed the next race after the last one.

        Args:
            seed: see above.
            options: what to choose for this race alone, each of it as you like: `{"course": ..}` one of the env's
                courses, as for `reset` of `parallel_env`; `{"seat": ..}` the learner's seat, from 0. The races after it
                are those that there are without options.

        Raises:
            RoboRallyError: for a seed that is not a whole number from 0 to 2**64 - 1; for options that are no dict or
                have other keys, and for any other course or seat. Nothing has changed then.
        """
        chosen = check_options(options, (COURSE, SEAT))
        chosen_course(chosen, self.race.batch)  # raises here, before anything is drawn
        seat = chosen_seat(chosen, len(self.race.possible_agents))
        if seed is not None:
            seed = check_whole(seed, "seed", 0, _MAX_SEED)
        super().reset(seed=seed)
        if seed is not None or not self._agents:
            seed = int(self.np_random.integers(_MAX_SEED, dtype=np.uint64)) if seed is None else seed
            self._seeds = self.np_random.integers(2**31, size=len(self.opponents)).tolist()
            self._agents = self._agents_of(self._seeds)
        own = self.wanted_seat
        if isinstance(own, str):  # drawn also where another one is chosen, so that the next races are the same
            own = int(self.np_random.integers(len(self.race.possible_agents)))
        self._sit(own if seat is None else seat)
        course = {name: value for name, value in chosen.items() if name == COURSE}
        observations, infos = self.race.reset(seed=seed, options=course)
        me = self.race.possible_agents[self.seat]
        while self.race.agents and infos[me]["decision"] is None:  # other seats buy first
            result = self.race.step(self._actions(self.race.encode_nothing()))
            observations, infos = result.observations, result.infos
            infos[me]["rewards"] = dict.fromkeys(infos[me]["rewards"], 0.0)  # nothing of it is the learner's
        return self._mine(observations, infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Play the learner's action, and on until its next decision or the end of the race.

        Raises:
            ActionError: as RoboRallyParallelEnv.step.
        """
        if not self.race.agents:
            raise RoboRallyError("step: no race is running; call reset() first")
        me = self.race.possible_agents[self.seat]
        result = self.race.step(self._actions(action))
        reward, parts = result.rewards[me], dict(result.infos[me]["rewards"])
        own = {name: result.infos[me][name] for name in ("corrected", "program")}
        while self.race.agents and result.infos[me]["decision"] is None:
            between = self.race.batch.shaping_of_waiting()
            result = self.race.step(self._actions(self.race.encode_nothing()))
            reward += result.rewards[me]
            parts = {name: value + result.infos[me]["rewards"][name] for name, value in parts.items()}
            if between is not None:  # the potential there does not count
                parts["shaping"] -= between[0, self.seat]
                reward -= between[0, self.seat] if self.race.batch.reward == "shaped" else 0.0
        result.infos[me].update(own, rewards=parts)
        return self._outcome(result, me, reward)

    def action_masks(self) -> NDArray[np.bool_]:
        """The flat mask of the learner's next action, in the form that sb3-contrib asks for: bool [n]."""
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """As RoboRallyParallelEnv.render; in pictures robots are named after their agents."""
        return self.race.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.race.close()

    # -- more than Gymnasium asks

    def snapshot(self) -> bytes:
        """The current state of the race, of its opponents and of chance as bytes, for `restore` of an env with the same
        arguments.

        An opponent's state is its seed: what the package's agents do follows from it and from the race. What an object
        of your own remembers is not in the bytes; `copy.deepcopy(env)` copies it.

        Raises:
            RoboRallyError: before the first reset.
        """
        race = self.race.snapshot()
        others = self._others if self._programs else []
        state = SeatState(
            seat=self.seat,
            seeds=self._seeds,
            programs=[[int(slot) for slot in self._programs[r]] for r in others],
            announced=[self._announced[r] for r in others],
            chance=chance_of(self.np_random),
            seed=int(self.np_random_seed),
        )
        return pack_snapshot("seat", state.packed(self.opponents), race)

    def restore(self, snapshot: bytes) -> tuple[Any, Info]:
        """Set the env to a snapshot and return observation and info, as `reset` does. The race goes on, and the next
        ones follow, exactly as in the env that took it.

        Raises:
            SnapshotError: for a damaged snapshot, or one of another version, edition, course, size or rules, or of
                other opponents. Nothing has changed then.
        """
        own, inner = unpack_snapshot("seat", snapshot)
        state = read_seat_state(own, self.opponents, self.race.batch.hand_slots)
        agents = self._agents if state.seeds == self._seeds else self._agents_of(state.seeds)
        observations, infos = self.race.restore(inner)
        self._agents, self._seeds = agents, state.seeds
        self._sit(state.seat)
        self._programs = dict(zip(self._others, map(np.array, state.programs), strict=False))
        self._announced = dict(zip(self._others, state.announced, strict=False))
        self.np_random, self._np_random_seed = generator_of(state.chance), state.seed
        if self.render_mode == "human":
            self.race.render()  # once more, with the names in their seats
        return self._mine(observations, infos)

    # -- inside

    def _sit(self, seat: int) -> None:
        """Let the learner have this seat, in a race in which nobody has a program yet."""
        self.seat, self._programs, self._announced = seat, {}, {}
        self.race.unwrapped.robot_names = self._robot_names()
        self.race.unwrapped.action_names.update(self._action_names())

    def _agents_of(self, seeds: Sequence[int]) -> list[Any]:
        """The opponents as objects. The names are made anew, each with its seed."""
        return [
            make_agent(each, seed) if isinstance(each, str) else each
            for each, seed in zip(self.opponents, seeds, strict=True)
        ]

    @property
    def _others(self) -> list[int]:
        """The seats of the opponents."""
        return [r for r in range(len(self.race.possible_agents)) if r != self.seat]

    def _robot_names(self) -> list[str]:
        """The name of the agent that plays each robot, or the learner's."""
        names = [each if isinstance(each, str) else type(each).__name__ for each in self.opponents]
        return [*names[: self.seat], "learner", *names[self.seat :]]

    def _action_names(self) -> dict[str, str]:
        """What messages call the action of each agent: the learner's is the argument of `step`."""
        agents = enumerate(self.race.possible_agents)
        return {a: "action" if r == self.seat else f"action of the opponent in seat {r}" for r, a in agents}

    def _outcome(self, result: Round, me: str, reward: float) -> tuple[Any, float, bool, bool, Info]:
        observation, info = self._mine(result.observations, result.infos)
        return observation, reward, result.terminations[me], result.truncations[me], info

    def _mine(self, observations: dict[str, Observation], infos: dict[str, Info]) -> tuple[Any, Info]:
        me = self.race.possible_agents[self.seat]
        info = {**infos[me], "seat": self.seat}
        self._mask = info["action_mask"]
        return self._formatter.observation(observations[me], info), self._formatter.infos([info])[0]

    def _actions(self, action: Any) -> NamedValues:
        """The learner's action and the opponents', by agent."""
        batch = self.race.batch
        others = self._others
        actions: NamedValues = {self.race.possible_agents[self.seat]: action}
        choosing = not batch.programming[0]
        if not choosing and (not isinstance(self.race, RegisterActions) or self.race.register == 0):
            self._programs = {r: self._program_of(r) for r in others}
            self._announced = {r: self._announcement_of(r) for r in others}
        for r in others:
            slots = self._programs.get(r, [0] * REGISTERS)
            choice = self._choice_of(r) if choosing else self._announced.get(r, 0)
            actions[self.race.possible_agents[r]] = self.race.encode(slots, choice, r)
        return actions

    def _agent_of(self, r: int) -> Any:
        return self._agents[r - (r > self.seat)]

    def _pending(self, r: int, masks: str) -> tuple[Any, ...]:
        """The arguments of an agent's methods for one seat."""
        batch = self.race.batch
        seen = batch.observations
        rows = Rows(batch, np.zeros(1, np.int64), np.array([r], np.int64))
        return seen["symbolic"][:, r].copy(), seen[masks][:, r].copy(), rows

    def _program_of(self, r: int) -> NDArray[Any]:
        programs = np.asarray(self._agent_of(r).act(*self._pending(r, "masks")))
        if programs.shape != (1, REGISTERS) or programs.dtype.kind not in "iu":
            raise AgentError(
                f"opponent of seat {r}: act() gave {programs.dtype} {programs.shape}, expected whole numbers (1, 5)"
            )
        return np.asarray(programs[0])

    def _announcement_of(self, r: int) -> int:
        """1 if seat r may announce a power down with its program and its agent does, else 0."""
        if not self.race.batch.may_announce[0, r]:
            return 0
        agent = self._agent_of(r)
        if not hasattr(agent, "announce"):
            return 0
        seen, _, rows = self._pending(r, "masks")
        return int(np.asarray(agent.announce(seen, rows)).reshape(-1)[0])

    def _choice_of(self, r: int) -> int:
        """0 if seat r is not asked, else 1 + the option that its agent takes, or the default option."""
        game = self.race.batch.games[0]
        if int(game["ask_seat"]) != r:
            return 0
        agent = self._agent_of(r)
        if not hasattr(agent, "choose"):
            return 1 + int(game["ask_default"])
        return int(np.asarray(agent.choose(*self._pending(r, "choice_masks"))).reshape(-1)[0])


def check_opponents_play(opponents: Sequence[Any], edition: str) -> None:
    """Raise a RoboRallyError for opponents that do not play the edition, here and not at the first step."""
    check_editions([make_agent(each) if isinstance(each, str) else each for each in opponents], edition)


def _checked_opponents(opponents: Any) -> tuple[Any, ...]:
    if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not opponents:
        raise AgentError(f"opponents: expected a list with an agent for each other seat, got {shown(opponents)}")
    for each in opponents:
        if not isinstance(each, str) and not callable(getattr(each, "act", None)):
            raise AgentError(f"opponents: expected names of agents or objects with act(), got {shown(each)}")
        if isinstance(each, str):
            make_agent(each)  # raises for a wrong name here, not at the first reset
    return tuple(opponents)
