"""RoboRallyParallelEnv: one race for PettingZoo. It wraps a BatchRace of one game and contains no rules."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from roborally_env.arguments import Courses, check_timer
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, check_flag, check_whole, shown
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.base.former import Keys
from roborally_env.batch import BatchRace, Step
from roborally_env.batch.options import RaceOptions, select, takes
from roborally_env.cards.option_names import option_name, option_names
from roborally_env.core import choices
from roborally_env.core.driving.rewards import COMPONENTS
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.envs.actions import ActionReader, refuse_illegal_choices, refuse_illegal_programs, whole_numbers
from roborally_env.envs.infos import empty_programs, programs_played, races_won
from roborally_env.envs.options import EnvOptions
from roborally_env.envs.picture import check_size, rendered, warn_without_mode
from roborally_env.envs.reset_options import COURSE, check_options, chosen_course
from roborally_env.envs.snapshots import check_numbers, pack_snapshot, unpack_snapshot
from roborally_env.envs.spaces import (
    SEEN,
    agent_space,
    cut,
    mask_part,
    part_boxes,
    record_of,
    shapes_of,
    with_parts,
)
from roborally_env.envs.state import state_parts, state_space_of, write_states
from roborally_env.envs.vec_forms import RowForm, make_form
from roborally_env.render.window import Window

RENDER_MODES = ("human", "rgb_array", "ansi")
RENDER_FPS = 2  # steps per second: most steps are a whole round
PETTINGZOO_KEYS = ("options",)  # of reset's options: PettingZoo's tests of environments pass it, with no meaning

Observation = dict[str, Any]
Info = dict[str, Any]
_Given: TypeAlias = tuple[dict[str, Observation], dict[str, Info]]


class Round(NamedTuple):
    """The result of a step of a parallel env: dicts by agent."""

    observations: dict[str, Observation]
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, Info]


@takes(EnvOptions, "RoboRallyParallelEnv")
class RoboRallyParallelEnv(PicklableArrays, ParallelEnv[str, Observation, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """One Robo Rally race. Agents `robot_0` .. act at once; a step plays until the next decision.

    Observation of an agent (all arrays are copies):

        observation  "symbolic"  float32 [n], the parts of `core.seeing.observe.parts_of`, concatenated
                     "planes"    {"planes": uint8 [13, 13, 26], "features": the same float32 [n]}
                     "dict"      {name: float32 array} of those parts
        action_mask  int8 [n]: ten numbers for each of five registers, then 42 for choices; in the lighter game
                     (rules={"upgrades": False}) nine for each, with decisions="all" then five; in 2005 nine for each,
                     then two, with decisions="all" 41; by community rules ten for each, then 43

    An agent's action is five whole numbers, the hand slot for each register, and in games with choices (purchases, or
    with decisions="all" every choice) a sixth: 0 if the agent has nothing to choose, otherwise 1 + the option; for a
    choice the other five are ignored. In 2005 and by community rules with decisions="program" the sixth is 1 to
    announce a power down with the program. A locked register has one legal value, and so does every register of a robot
    that is off the board or powered down: its agent stays until the race ends. An illegal slot is replaced by the next
    legal one (cyclic), an illegal choice by its default; both are counted. With `strict` they raise an ActionError.
    That is the form `program`; `envs.forms` has the classes of the others.

    Info of an agent:

        action_mask  int8 [92] (lighter game: [45] or [50]; 2005: [47] or [86]; community: [93]), as in the observation
        corrected    number of illegal parts of its last action that were replaced
        rewards      {"race", "progress", "shaping"}: the components of its last reward
        decision     its pending decision: "program", "buy_upgrade", "reboot_facing", ..; None if it has none. By
                     community rules a robot that is powered down decides "power_down" while others program: 1 in the
                     sixth place announces another power down
        options      names of that choice's legal options, in the order of the mask; empty for programs
        round        number of the round, from 1
        course       name of the course
        program      int8 [5]: the hand slot that its last action put in each register, after corrections; -1 for a
                     register without a card from the hand
        place        at the end of the race: 1.0 is first; tied robots share the mean of their places, a team has one
        is_success   at the end of the race: whether the agent, or its team, has won

    Made by `roborally_env.parallel_env`, which documents the arguments.
    """

    metadata = {  # noqa: RUF012  # PettingZoo's form
        "name": "roborally_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": RENDER_FPS,
    }

    action = "program"  # the form of its actions
    form: RowForm

    def __init__(
        self,
        course: Courses | None = None,
        *,
        players: int = 4,
        **options: Unpack[EnvOptions],
    ) -> None:
        self.observation = check_choice(options["observation"], "observation", SEEN)
        mode, strict = options["render_mode"], options["strict"]
        self.render_mode = None if mode is None else check_choice(mode, "render_mode", RENDER_MODES)
        self.render_size = check_size(options["render_size"])
        self.robot_names: list[str] = []  # shown in pictures; empty: "robot 0" and so on
        self._window: Window | None = None  # of render_mode "human", from the first frame on
        self.strict = check_flag(strict, "strict")
        self.batch = BatchRace(
            1,
            course,
            players=players,
            observation="planes" if self.observation == "planes" else "symbolic",
            auto_reset=False,
            **select(RaceOptions, options),
        )
        self.form = self._new_form()
        self.possible_agents = [f"robot_{r}" for r in range(self.batch.players)]
        self.agents: list[str] = []
        # what messages call each agent's action, in the order of the seats; `RoboRallyEnv` gives other names
        self.action_names = {agent: f"actions[{agent!r}]" for agent in self.possible_agents}
        self._actions = ActionReader(self.possible_agents, self.form.sizes, self.action_names)
        self._caught = [0] * self.batch.players  # registers that the timer catches open in the next step, as bits
        self._pending: list[int] = []  # the pending decision of each seat, as a number
        self._next_step = OVER  # where the race waits for these decisions
        self._nothing = empty_programs(self.batch.players)
        self._seeded = False
        self._make_spaces()

    def _new_form(self) -> RowForm:
        """The actions of the seats, which are the form's rows."""
        return make_form(self.action, self.batch, self.batch.players)

    def _make_spaces(self) -> None:
        boxes, mask = part_boxes(self.batch), mask_part(self.form.sizes)
        self.shapes = shapes_of(boxes)
        self.state_shapes = state_parts(self.batch)
        self.state_space = state_space_of(self.batch)
        boxes |= self.form.boxes
        self._names = tuple(boxes)
        self._parts = record_of(shapes_of(boxes).values(), np.float32)  # a seat's vector as one record
        self.observation_spaces = {
            a: agent_space(self.observation, boxes, self.batch.game, mask) for a in self.possible_agents
        }
        self.action_spaces = {a: deepcopy(self.form.action_space) for a in self.possible_agents}

    # -- PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space; the same object at each call."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's action space; the same object at each call."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> _Given:
        """Begin the race of `seed`, or without a seed the race after the previous one.

        The first reset without a seed draws one from the operating system.

        Args:
            seed: see above.
            options: `{"course": ..}` lets this race be on one of the env's courses, given by its name, by its index (as
                in numeric infos) or as the env was given it. It is then the race that an env of this course alone has
                by that seed; the races after it draw their courses again.

        Raises:
            RoboRallyError: for a seed that is not a whole number from 0 to 2**64 - 1; for options that are no dict or
                have another key, and for any other course. Nothing has changed then.
        """
        course = chosen_course(check_options(options, (COURSE,), PETTINGZOO_KEYS), self.batch)
        if seed is None and not self._seeded:
            seed = secrets.randbits(64)
        self.batch.reset(seed, courses=None if course is None else [course])
        self._seeded = True
        self._caught = [0] * self.batch.players
        return self._started()

    def step(self, actions: Mapping[str, Any]) -> Round:
        """Play the agents' actions until the next decision or the end of the race, when `agents` becomes empty.

        Raises:
            ActionError: for a missing or unknown agent, a wrong shape, dtype or range; with `strict` also for an
                illegal action. Nothing has been played if it is raised.
        """
        if not self.agents:
            return self._step_without_agents(actions)
        values = self._actions.read(actions)
        if self.strict:
            self._refuse_illegal(values)
        batch, programming = self.batch, not self.form.choosing[0]
        if not self.form.decide_race(values):
            return self._waiting()
        given, shut = self._play()
        played = programs_played(batch, shut)[0] if programming else self._nothing.copy()
        self._begin_decisions(given.observations)
        over = self._next_step == OVER
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        corrected = batch.corrected[0] if len(self.form.sizes) > 1 else batch.corrected[0] + self.form.corrected
        observations, infos = self._shown(played, corrected, batch.reward_components[0].T.tolist(), over)
        agents = self.possible_agents
        return Round(
            observations,
            dict(zip(agents, given.rewards[0].tolist(), strict=True)),
            dict.fromkeys(agents, given.terminated.item()),
            dict.fromkeys(agents, given.truncated.item()),
            infos,
        )

    def state(self) -> NDArray[np.float32]:
        """The whole race, including hidden cards, as float32 [n] for centralised critics: see `state_shapes`.

        It does not contain future random numbers.
        """
        self._need_race("state")
        state: NDArray[np.float32] = write_states(self.batch)[0]
        return state

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw the current state: for render_mode "rgb_array" uint8 [height, width, 3], for "ansi" text; "human" shows
        it in a window, as each reset and step does, or gives a RuntimeWarning if there is no display. Without a mode
        nothing is drawn, and Gymnasium's logger warns.

        Raises:
            RoboRallyError: before the first reset, or if the extra `render` is not installed.
        """
        self._need_race("render")
        if self.render_mode is None:
            warn_without_mode()
            return None
        if self.render_mode == "human":
            self._show()
            return None
        return rendered(self.batch, self.render_mode, self.render_size, self.robot_names)

    def close(self) -> None:
        """Close the window, if there is one, and stop the thread or processes that generate courses."""
        if self._window is not None:
            self._window.close()
        self.batch.close()

    # -- more than PettingZoo asks

    def catch(self, agent: str, registers: Iterable[int]) -> None:
        """With rules={"timer": True}, let the timer catch an agent before it has filled these registers 1..5.

        This applies only to the next programs: the rules fill those registers, and the action's values for them are
        ignored.

        In 2005 the timer catches at most one agent; courses with program timers have no such limit and need no rule
        option.

        Raises:
            ActionError: without the timer rule, or for a second agent.
            RoboRallyError: while no programs are expected, or for an unknown agent or register.
        """
        self._need_race("catch")
        r = self.possible_agents.index(self._known(agent))
        batch = self.batch
        if not self.agents or self.batch.games["step"][0] != PROGRAM:
            raise RoboRallyError("catch: no programs are needed now")
        if not isinstance(registers, Iterable):
            raise RoboRallyError(f"registers: expected some of 1 to {REGISTERS}, got {shown(registers)}")
        numbers = {check_whole(k, "registers", 1, REGISTERS) for k in registers}
        caught = [*self._caught[:r], sum(1 << k - 1 for k in numbers), *self._caught[r + 1 :]]
        given = np.array([caught], np.uint8)
        check_timer(given, bool(batch.rules.get("timer")), batch.courses, batch.games["course"], "catch")
        self._caught = caught

    def snapshot(self) -> bytes:
        """The current state of the race as bytes, for `restore` of an env with the same arguments."""
        self._need_race("snapshot")
        return pack_snapshot("program", {"caught": self._caught}, self.batch.snapshot())

    def restore(self, snapshot: bytes) -> _Given:
        """Set the race to a snapshot and return observations and infos, as `reset` does.

        Raises:
            SnapshotError: for a damaged snapshot, or one of another version, edition, course, size or rules. The race
                is unchanged then.
        """
        own, inner = unpack_snapshot("program", snapshot)
        self.batch._checked_snapshot(inner)  # before what depends on the number of players
        caught = check_numbers(own, "caught", self.batch.players, 0, (1 << REGISTERS) - 1)
        self.batch.restore(inner)
        self._seeded = True
        self._caught = caught
        return self._started()

    def encode(self, program: Sequence[int] | NDArray[Any], choice: int = 0, seat: int = 0) -> NDArray[np.int64] | int:
        """The next action of a seat, in this env's form, for five hand slots and a choice (0, or 1 + the option; 1
        beside a program announces a power down).

        Raises:
            RoboRallyError: for anything but five whole numbers, or an unknown seat or choice.
        """
        slots = whole_numbers(program, "program")
        if slots.shape != (REGISTERS,):
            raise ActionError(f"program: expected {REGISTERS} hand slots, got shape {slots.shape}")
        batch = self.batch
        check_whole(choice, "choice", 0, batch.options)
        row = check_whole(seat, "seat", 0, batch.players - 1)
        action: NDArray[np.int64] | int = self.form.encode(row, slots, choice)
        return action

    def encode_nothing(self) -> NDArray[np.int64] | int:
        """The action of an agent without a pending decision."""
        return np.zeros(len(self.form.sizes), np.int64)

    # -- inside

    def _show(self) -> None:
        """Show the race in the window, which the first call opens."""
        if self._window is None:
            self._window = Window("Robo Rally", RENDER_FPS)
        frame = rendered(self.batch, "rgb_array", self.render_size, self.robot_names)
        assert isinstance(frame, np.ndarray)
        self._window.show(frame)

    def _known(self, agent: str) -> str:
        if not isinstance(agent, str) or agent not in self.possible_agents:
            raise RoboRallyError(f"unknown agent {shown(agent)}; expected one of {', '.join(self.possible_agents)}")
        return agent

    def _need_race(self, what: str) -> None:
        if not self._seeded:
            raise RoboRallyError(f"{what}: call reset() first")

    def _step_without_agents(self, actions: Mapping[str, Any]) -> Round:
        self._need_race("step")
        if actions:
            raise RoboRallyError("step: the race is over; call reset()")
        return Round({}, {}, {}, {}, {})

    def _play(self) -> tuple[Step, NDArray[np.integer[Any]]]:
        """Step the batch with what the form has decided, and the registers that the timer caught; returns the step and
        the registers, as bits [1, P], that took no card of the hand."""
        batch, form, shut = self.batch, self.form, self.form.closed[None]
        programs, choices, opened = batch.actions
        programs[0], choices[0] = form.programs, form.choices
        if not any(self._caught):
            return batch.step_prepared(), shut
        opened[0], self._caught = self._caught, [0] * batch.players
        shut = shut | opened
        try:
            return batch.step_prepared(), shut
        finally:
            opened[0] = 0

    def _begin_decisions(self, seen: Mapping[str, NDArray[Any]]) -> None:
        """Let the form ask for the next decisions."""
        self._pending, closed = self.batch.pending_in(0)
        self._next_step = self.batch.games["step"].item()
        self.form.begin_race(seen, self._next_step != PROGRAM, closed)

    def _started(self) -> _Given:
        """Observations and infos of a race that has just started or been restored."""
        over = self.batch.games["step"].item() == OVER
        self.agents = [] if over else self.possible_agents[:]
        if self.render_mode == "human":
            self.render()
        self._begin_decisions(self.batch.observations)
        return self._shown(self._nothing.copy())

    def _waiting(self) -> Round:
        """What `step` returns before the form has decided."""
        played = self._nothing.copy()
        self.form.note_so_far(played, np.ones(len(played), np.bool_))
        shaping = self.batch.shaping_of_waiting()
        own = np.zeros(len(played)) if shaping is None else shaping[0]
        parts = [own.tolist() if name == "shaping" else [0.0] * len(own) for name in COMPONENTS]
        observations, infos = self._shown(played, self.form.corrected, parts)
        given = own if self.batch.reward == "shaped" else np.zeros(len(own))
        running = dict.fromkeys(self.agents, False)
        rewards = dict(zip(self.agents, given.tolist(), strict=True))
        return Round(observations, rewards, running, dict(running), infos)

    def _shown(
        self,
        played: NDArray[np.int8],
        corrected: NDArray[np.integer[Any]] | None = None,
        rewards: Sequence[Sequence[float]] | None = None,
        over: bool = False,
    ) -> _Given:
        """Observations and infos, in arrays of their own; a mask is in both.

        Args:
            played: see `programs_played`, int8 [P, 5].
            corrected: [P]; None: nothing was corrected.
            rewards: the components in the order of COMPONENTS, each a list by seat; None: all are 0.
            over: the race has just ended.
        """
        masks = self.form.flat_masks()
        infos = self._infos(
            masks,
            played,
            [0] * len(masks) if corrected is None else corrected.tolist(),
            [[0.0] * len(masks)] * len(COMPONENTS) if rewards is None else rewards,
        )
        if over:
            seats = np.arange(self.batch.players)
            places, won = self.batch.results["place"][0].tolist(), races_won(self.batch, seats * 0, seats).tolist()
            for info, place, success in zip(infos.values(), places, won, strict=True):
                info["place"], info["is_success"] = place, success
        return self._observations(masks), infos

    def _observations(self, masks: NDArray[np.int8]) -> dict[str, Observation]:
        symbolic = self.batch.vectors[0].copy()
        if self.form.boxes:
            symbolic = with_parts(symbolic, self.form.parts())
        seen: Iterable[Any] = symbolic
        if self.observation == "planes":
            planes = self.batch.observations["planes"][0].copy()
            seen = ({"planes": p, "features": s} for p, s in zip(planes, symbolic, strict=True))
        elif self.observation == "dict":
            names = self._names
            seen = [dict(zip(names, parts, strict=True)) for parts in cut(symbolic, self._parts)]
        return {
            agent: {"observation": part, "action_mask": mask}
            for agent, part, mask in zip(self.possible_agents, seen, masks, strict=True)
        }

    def _infos(
        self,
        masks: NDArray[np.int8],
        played: NDArray[np.int8],
        corrected: Sequence[int],
        rewards: Sequence[Sequence[float]],
    ) -> dict[str, Info]:
        batch, games = self.batch, self.batch.games
        number = games["round_number"].item()
        course = batch.courses[games["course"].item()].slug
        infos: dict[str, Info] = {
            agent: Keys(
                {
                    "action_mask": mask,
                    "corrected": count,
                    "rewards": {"race": race, "progress": progress, "shaping": shaping},
                    "decision": choices.NAMES[decision] if decision else None,
                    "options": (),
                    "round": number,
                    "course": course,
                    "program": program,
                }
            )
            for agent, mask, decision, program, count, race, progress, shaping in zip(
                self.possible_agents, masks, self._pending, played, corrected, *rewards, strict=True
            )
        }
        if self._next_step not in (PROGRAM, OVER):
            self._name_options(infos)
        return infos

    def _name_options(self, infos: dict[str, Info]) -> None:
        """Write the options of the open choice into the info of the agent that decides."""
        games = self.batch.games
        infos[self.possible_agents[games["ask_seat"].item()]]["options"] = option_names(games, 0)

    def _refuse_illegal(self, values: NDArray[np.int64]) -> None:
        given, game, names = self.batch.observations, self.batch.games[0], list(self.action_names.values())
        if game["step"] == PROGRAM:
            closed = self.batch.closed_registers[0].tolist()
            refuse_illegal_programs(names, values, given["masks"][0], self._caught, closed)
        if self.batch.asks_choices:

            def meaning(choice: int) -> str:
                if game["step"] == PROGRAM:
                    return "announce a power down" if choice else "nothing to choose"
                return option_name(game, choice - 1) if choice else "nothing to choose"

            refuse_illegal_choices(names, values[:, REGISTERS], given["choice_masks"][0], meaning)
