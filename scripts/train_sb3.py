"""Train a policy with Stable-Baselines3: PPO with a policy made for programs, or sb3-contrib's MaskablePPO.

    python scripts/train_sb3.py --out out/sb3                                  # self-play, lighter game
    python scripts/train_sb3.py --out out/sb3 --opponents greedy greedy greedy # one seat against agents
    python scripts/train_sb3.py --out out/sb3 --resume                         # goes on exactly where it was

Needs `pip install "roborally_env[train]"`. The folder gets checkpoint.pt, evaluations.json and TensorBoard logs. What
was trained races as an agent: `PYTHONPATH=scripts roborally evaluate --agents train_sb3:Trained:folder=out/sb3 greedy
greedy greedy --lighter`.

`--algorithm ppo`: an action is a whole program. Five softmaxes over the dealt cards, register by register, each
without the cards laid before; a card's score comes from what it is, not from the slot it lies in.
`--algorithm maskable`: five actions a program (`action="register"`) with exact masks, and SB3's own MlpPolicy.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import json
import math
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.distributions import Distribution
    from stable_baselines3.common.logger import configure
    from stable_baselines3.common.policies import ActorCriticPolicy
    from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
except ImportError as error:
    sys.exit(f'train_sb3: {error}; pip install "roborally_env[train]" gives what it needs')

from roborally_env.agents import make_agent
from torch import Tensor, nn

from roborally_env import RoboRallyError
from roborally_env.envs.sb3 import RaceVecEnv
from roborally_env.envs.sb3_agent import ModelAgent
from roborally_env.tournament import evaluate

REGISTERS = 5
NEVER = -1e9  # score of what is not legal


def option(default: Any, what: str, **more: Any) -> Any:
    """A field of Options with its help."""
    return field(default=default, metadata={"help": what, **more})


@dataclass(frozen=True)
class Options:
    """Everything that can be chosen; each is an option of the command."""

    out: str = option("out/sb3", "folder of the run")
    algorithm: str = option("ppo", "ppo, or maskable (sb3-contrib, action register)", choices=("ppo", "maskable"))
    course: tuple[str, ...] = option((), "courses, of which each race draws one; none: the edition's usual one")
    edition: str = option("2016", "rules", choices=("2016", "2005", "2023"))
    upgrades: bool = option(False, "2016: play the complete game, with upgrades")
    players: int = option(4, "players of a race")
    opponents: tuple[str, ...] = option((), "agents of the other seats; none: every seat learns")
    reward: str = option("shaped", "race, progress or shaped", choices=("race", "progress", "shaped"))
    max_rounds: int = option(60, "cut races after so many rounds")
    decisions: int = option(2_000_000, "decisions to train for")
    games: int = option(64, "races at once")
    rollout: int = option(32, "steps of each seat between updates")
    minibatch: int = option(1024, "decisions of one gradient step")
    epochs: int = option(4, "passes over a rollout")
    learning_rate: float = option(5e-4, "of Adam")
    discount: float = option(0.98, "of rewards, by decision")
    gae_lambda: float = option(0.95, "of the advantages")
    clip: float = option(0.2, "PPO's clip range")
    entropy: float = option(0.01, "weight of the entropy")
    width: int = option(256, "of the hidden layers")
    seed: int = option(1, "of everything")
    threads: int = option(0, "torch's CPU threads; 0: one for each core")
    device: str = option("auto", "cpu, cuda, or auto")
    evaluate_every: int = option(250_000, "decisions between evaluations; 0: only at the end")
    evaluate_against: tuple[str, ...] = option(("random", "greedy"), "agents; each fills all other seats in its turn")
    evaluate_games: int = option(100, "races of an evaluation, against each")
    final_games: int = option(400, "races of the final evaluation, against each")
    checkpoint_seconds: float = option(60.0, "seconds between checkpoints; 0: after each update")
    resume: bool = option(False, "go on with the run in the folder")


# what a resumed run may change without becoming another run
FREE = frozenset({"out", "decisions", "threads", "device", "final_games", "checkpoint_seconds", "resume"})


# -- the policy: which program


class ProgramNet(nn.Module):
    """Scores of programs, and a value, from a symbolic observation.

    The hand is seen as a set: cards are embedded by what they are, their sum joins the rest of the observation, and a
    card's score in register k is the product of its embedding with a query, made of the position, the register and the
    cards laid before. So permuting the hand permutes the scores and changes nothing else.
    """

    def __init__(self, size: int, hand: tuple[int, int], choices: int, width: int, card_size: int = 32) -> None:
        super().__init__()
        self.hand, self.choices = hand, choices
        slots, kinds = hand
        self.card = nn.Linear(kinds, card_size)
        self.dealt = nn.Linear(card_size, card_size)
        self.body = nn.Sequential(
            nn.Linear(size - slots * kinds + card_size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        depth = max(width // 4, 8)
        self.context = nn.Linear(width, depth)
        self.place = nn.Parameter(torch.randn(REGISTERS, depth) * 0.1)
        self.laid = nn.Parameter(torch.randn(REGISTERS, card_size, depth) / math.sqrt(card_size))
        self.query = nn.Linear(depth, card_size)
        self.choice = nn.Linear(width, max(choices, 1))
        self.value = nn.Linear(width, 1)
        for layer in (self.query, self.choice):  # near uniform at the start
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Position [N, width] and cards [N, slots, card_size] from observations [N, size]."""
        slots, kinds = self.hand  # the hand stands first
        cards = torch.tanh(self.card(observation[:, : slots * kinds].reshape(-1, slots, kinds)))
        dealt = torch.relu(self.dealt(cards)).sum(1) / slots
        return self.body(torch.cat([observation[:, slots * kinds :], dealt], 1)), cards

    def scores(self, context: Tensor, before: Tensor, cards: Tensor) -> Tensor:
        """[.., slots] for cards [N, slots, c], from context and what lies there already, both [N, .., depth]."""
        query = self.query(torch.relu(context + before))
        return torch.einsum("n...c,nsc->n...s", query, cards)


class ProgramDistribution(Distribution):
    """Programs register by register without replacement, and the answer to a choice beside them.

    A register whose mask has slot 0 alone takes no card: it is locked, or no program is wanted of the seat. It is
    filled with 0, and slot 0 stays free for the others.
    """

    def __init__(self, net: ProgramNet) -> None:
        super().__init__()
        self.net = net

    def proba_distribution_net(self, *args: Any, **kwargs: Any) -> nn.Module:
        """The network that scores."""
        return self.net

    def proba_distribution(self, hidden: Tensor, cards: Tensor, masks: Tensor) -> ProgramDistribution:
        """Of N rows: hidden [N, width], cards [N, slots, c], flat masks [N, m]."""
        slots = self.net.hand[0]
        self.cards, self.context = cards, self.net.context(hidden)
        self.legal = masks[:, : REGISTERS * slots].reshape(-1, REGISTERS, slots).bool()
        self.open = self.legal[:, :, 1:].any(2)  # [N, 5]: takes a card
        self.choice_logits = None
        if self.net.choices:
            scores = self.net.choice(hidden)
            self.choice_logits = scores.masked_fill(~masks[:, REGISTERS * slots :].bool(), NEVER).log_softmax(1)
        self.actions: Tensor | None = None
        self.logits: Tensor | None = None  # [N, 5, slots] along `actions`
        return self

    def sample(self) -> Tensor:
        """Draw [N, components]."""
        return self._walk(lambda logits: (logits - torch.log(-torch.log(torch.rand_like(logits)))).argmax(1))

    def mode(self) -> Tensor:
        """The likeliest card of each register in turn."""
        return self._walk(lambda logits: logits.argmax(1))

    def _walk(self, choose: Any) -> Tensor:
        rows = torch.arange(len(self.cards), device=self.cards.device)
        used = torch.zeros_like(self.legal[:, 0])
        before = torch.zeros_like(self.context)
        taken, logits = [], []
        for k in range(REGISTERS):
            scores = self.net.scores(self.context + self.net.place[k], before, self.cards)
            takes = self.open[:, k]
            logits.append(scores.masked_fill(~self.legal[:, k] | (used & takes[:, None]), NEVER).log_softmax(1))
            taken.append(choose(logits[-1]))
            used[rows, taken[-1]] |= takes
            before = before + self.cards[rows, taken[-1]] @ self.net.laid[k] * takes[:, None]
        if self.choice_logits is not None:
            taken.append(choose(self.choice_logits))
        self.actions, self.logits = torch.stack(taken, 1), torch.stack(logits, 1)
        return self.actions

    def _along(self, actions: Tensor) -> Tensor:
        """The logits [N, 5, slots] that are met along programs given, all registers at once."""
        if self.logits is not None and self.actions is actions:
            return self.logits
        slots = actions[:, :REGISTERS].long()
        one_hot = torch.nn.functional.one_hot(slots, self.net.hand[0]) * self.open[:, :, None]
        laid = torch.einsum("nkc,kcd->nkd", one_hot.to(self.cards.dtype) @ self.cards, self.net.laid)
        earlier = laid.new_ones(REGISTERS, REGISTERS).tril(-1)  # sums over earlier registers
        before = earlier @ laid
        used = (earlier @ one_hot.to(laid.dtype) > 0) & self.open[:, :, None]
        scores = self.net.scores(self.context[:, None] + self.net.place, before, self.cards)
        self.actions, self.logits = actions, scores.masked_fill(~self.legal | used, NEVER).log_softmax(2)
        return self.logits

    def log_prob(self, actions: Tensor) -> Tensor:
        """[N] of actions [N, components]."""
        logits = self._along(actions)
        chances = logits.gather(2, actions[:, :REGISTERS, None].long()).sum((1, 2))
        if self.choice_logits is not None:
            chances = chances + self.choice_logits.gather(1, actions[:, REGISTERS:].long()).squeeze(1)
        return chances

    def entropy(self) -> Tensor:
        """[N]: of each register given the cards laid before in the actions looked at last, and of the choice.

        Its mean over programs drawn from this distribution is the entropy of the distribution.
        """
        assert self.logits is not None, "log_prob or sample comes first"
        entropy = -(self.logits.exp() * self.logits).sum((1, 2))
        if self.choice_logits is not None:
            entropy = entropy - (self.choice_logits.exp() * self.choice_logits).sum(1)
        return entropy

    def actions_from_params(self, *params: Any, deterministic: bool = False) -> Tensor:
        """Actions of the distribution with these parameters."""
        return self.proba_distribution(*params).get_actions(deterministic=deterministic)

    def log_prob_from_params(self, *params: Any) -> tuple[Tensor, Tensor]:
        """Drawn actions of the distribution with these parameters, and their log-probabilities."""
        actions = self.proba_distribution(*params).sample()
        return actions, self.log_prob(actions)


class ProgramPolicy(ActorCriticPolicy):
    """SB3's actor and critic round a ProgramNet; observations are those of RaceVecEnv, with the mask in them."""

    def __init__(self, *spaces: Any, hand: tuple[int, int], width: int = 256, **more: Any) -> None:
        self.hand, self.width = tuple(hand), width
        super().__init__(*spaces, **more)

    def _build(self, lr_schedule: Any) -> None:
        size = self.observation_space["observation"].shape[0]
        nvec = self.action_space.nvec
        choices = int(nvec[REGISTERS]) if len(nvec) > REGISTERS else 0
        self.net = ProgramNet(size, self.hand, choices, self.width)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "hand": self.hand, "width": self.width}

    def _look(self, obs: Any) -> tuple[ProgramDistribution, Tensor]:
        hidden, cards = self.net(obs["observation"].float())
        distribution = ProgramDistribution(self.net).proba_distribution(hidden, cards, obs["action_mask"])
        return distribution, self.net.value(hidden)

    def forward(self, obs: Any, deterministic: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log-probabilities."""
        distribution, values = self._look(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Any, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log-probabilities and entropies of actions that were taken."""
        distribution, values = self._look(obs)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any) -> ProgramDistribution:
        """The distribution of actions."""
        return self._look(obs)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """Values alone."""
        return self.net.value(self.net(obs["observation"].float())[0])


# -- the run


class Timed(VecEnvWrapper):
    """Counts the seconds that the env takes."""

    seconds = 0.0

    def reset(self) -> Any:
        """As the env."""
        return self.venv.reset()

    def step_async(self, actions: Any) -> None:
        """As the env."""
        self._begun = time.perf_counter()
        self.venv.step_async(actions)

    def step_wait(self) -> Any:
        """As the env."""
        given = self.venv.step_wait()
        self.seconds += time.perf_counter() - self._begun
        return given


def make_env(options: Options) -> RaceVecEnv:
    """The races to train in."""
    return RaceVecEnv(
        options.games,
        list(options.course) or None,
        opponents=list(options.opponents) or None,
        players=options.players,
        edition=options.edition,
        rules=rules_of(options),
        reward=options.reward,
        discount=options.discount,
        max_rounds=options.max_rounds,
        action="program" if options.algorithm == "ppo" else "register",
        mask_in_observation=options.algorithm == "ppo",
        seed=options.seed,
    )


def rules_of(options: Options) -> dict[str, Any]:
    """The rule options of the races."""
    return {"upgrades": options.upgrades} if options.edition == "2016" else {}


def make_model(options: Options, env: RaceVecEnv, device: str | None = None) -> Any:
    """A new model. Its seed is set here: torch's, NumPy's and Python's generators are that of the run."""
    if options.rollout * env.num_envs < max(options.minibatch, 2):
        raise RoboRallyError(
            f"minibatch: expected at most the {options.rollout * env.num_envs} decisions of a rollout, "
            f"got {options.minibatch}"
        )
    shared: dict[str, Any] = {
        "n_steps": options.rollout,
        "batch_size": options.minibatch,
        "n_epochs": options.epochs,
        "learning_rate": options.learning_rate,
        "gamma": options.discount,
        "gae_lambda": options.gae_lambda,
        "clip_range": options.clip,
        "ent_coef": options.entropy,
        "seed": options.seed,
        "device": device or options.device,
    }
    timed = VecMonitor(Timed(env))
    if options.algorithm == "ppo":
        policy = {"hand": env.shapes["hand"], "width": options.width}
        return PPO(ProgramPolicy, timed, policy_kwargs=policy, **shared)
    return MaskablePPO("MlpPolicy", timed, policy_kwargs={"net_arch": [options.width] * 2}, **shared)


# SB3's own counters, and the observation that the next rollout begins with
COUNTERS = (
    "num_timesteps", "_n_updates", "_episode_num", "_current_progress_remaining", "_last_obs", "_last_episode_starts",
    "ep_info_buffer", "ep_success_buffer",
)  # fmt: skip
MONITOR = ("episode_count", "episode_returns", "episode_lengths")


def full_state(model: Any, options: Options, evaluations: list[dict[str, Any]]) -> bytes:
    """Everything that going on exactly needs."""
    file = io.BytesIO()
    torch.save(
        {
            "options": dataclasses.asdict(options),
            "parameters": model.get_parameters(),  # of the policy and of the optimizer
            "counters": {name: getattr(model, name) for name in COUNTERS},
            "monitor": {name: getattr(model.env, name) for name in MONITOR},
            "races": model.env.unwrapped.state_dict(),
            "generators": generators(),
            "evaluations": evaluations,
        },
        file,
    )
    return file.getvalue()


def generators() -> dict[str, Any]:
    """The state of all global generators."""
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    numpy = np.random.get_state()  # noqa: NPY002  # the generator that SB3 draws from
    return {"torch": torch.get_rng_state(), "cuda": cuda, "numpy": numpy, "python": random.getstate()}


def set_generators(state: dict[str, Any]) -> None:
    """Put them back."""
    torch.set_rng_state(state["torch"])
    if state["cuda"] and len(state["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(state["cuda"])
    np.random.set_state(state["numpy"])  # noqa: NPY002
    random.setstate(state["python"])


def read_checkpoint(folder: str | Path) -> dict[str, Any]:
    """What `full_state` wrote."""
    path = Path(folder) / "checkpoint.pt"
    try:
        # NumPy's and Python's states are in it: read no checkpoint that you do not trust
        state = torch.load(path, map_location="cpu", weights_only=False)
        return {**state, "options": Options(**state["options"])}
    except FileNotFoundError:
        raise RoboRallyError(f"{path}: no such file; a run writes it at its first checkpoint") from None
    except Exception as error:
        raise RoboRallyError(f"{path}: not a checkpoint of this script: {error}") from error


def put_back(model: Any, state: dict[str, Any]) -> None:
    """Set a new model and its env to a checkpoint."""
    model.set_parameters(state["parameters"], device=model.device)
    model.env.unwrapped.load_state_dict(state["races"])
    for name, value in state["counters"].items():
        setattr(model, name, value)
    for name, value in state["monitor"].items():
        setattr(model.env, name, value)


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Watch(BaseCallback):
    """Between updates: evaluates, keeps checkpoints, and tells how it goes."""

    def __init__(self, options: Options, evaluations: list[dict[str, Any]], generators: Any = None) -> None:
        super().__init__()
        self.options, self.evaluations = options, evaluations
        self.folder = Path(options.out)
        self.resumed = generators
        self.state = b""  # the checkpoint as it was when the rollout began
        self.begun = self.saved = time.perf_counter()
        self.first = 0
        self.update_seconds = 0.0
        self.rollout_ended: float | None = None

    def _on_training_start(self) -> None:
        self.first = self.num_timesteps
        self.timed = self.model.env.venv

    def _on_rollout_start(self) -> None:
        if self.rollout_ended is not None:
            self.update_seconds += time.perf_counter() - self.rollout_ended
        if self.resumed is not None:
            set_generators(self.resumed)
            self.resumed = None
        else:
            self._evaluate_if_due()
        self.state = full_state(self.model, self.options, self.evaluations)
        if time.perf_counter() - self.saved >= self.options.checkpoint_seconds:
            self.save()
        self._tell()

    def _on_rollout_end(self) -> None:
        self.rollout_ended = time.perf_counter()

    def _on_training_end(self) -> None:
        self._tell()

    def _on_step(self) -> bool:
        return True

    def _evaluate_if_due(self) -> None:
        every, last = self.options.evaluate_every, max((e["decisions"] for e in self.evaluations), default=0)
        if every and self.num_timesteps // every > last // every:
            self.evaluate(self.options.evaluate_games)

    def evaluate(self, games: int) -> None:
        """Race against each of the fixed opponents."""
        for against in self.options.evaluate_against:
            row = race_against(self.model, self.options, against, games)
            self.evaluations.append({"decisions": self.num_timesteps, **row})
            self.logger.record(f"eval/win_rate_{against}", row["win_rate"])
            print(
                f"\r{self.num_timesteps:,} decisions: wins {row['win_rate']:.1%} "
                f"({row['win_low']:.1%} - {row['win_high']:.1%}) of {games} races against {against}; "
                f"equal is {row['equal']:.0%}",
                flush=True,
            )
        write(self.folder / "evaluations.json", (json.dumps(self.evaluations, indent=1) + "\n").encode())

    def save(self) -> None:
        """Write the checkpoint of the rollout's beginning."""
        if self.state:
            write(self.folder / "checkpoint.pt", self.state)
        self.saved = time.perf_counter()

    def _tell(self) -> None:
        seconds = time.perf_counter() - self.begun
        done = self.num_timesteps - self.first
        if not done:
            return
        env, update = self.timed.seconds / seconds, self.update_seconds / seconds
        left = (self.options.decisions - self.num_timesteps) * seconds / done
        self.logger.record("time/decisions_per_second", done / seconds)
        self.logger.record("time/share_env", env)
        end = "" if sys.stdout.isatty() else "\n"
        print(
            f"\r{self.num_timesteps:,} of {self.options.decisions:,} decisions, {done / seconds:,.0f}/s: "
            f"env {env:.0%}, update {update:.0%}, policy and rest {1 - env - update:.0%}; "
            f"{max(left, 0) / 60:.0f} min left   ",
            end=end,
            flush=True,
        )


def race_against(model: Any, options: Options, against: str, games: int) -> dict[str, Any]:
    """The share of races that the model wins, one among `against` in all other seats, with its 95 % interval."""
    others = options.players - 1
    result = evaluate(
        [ModelAgent(model, name="trained"), *[against] * others],
        list(options.course) or None,
        games=max(games // max(len(options.course), 1), 1),
        players=options.players,
        edition=options.edition,
        seed=options.seed,
        rules=rules_of(options),
        chunk=games,
    )
    if not result.complete:
        raise KeyboardInterrupt
    row = result.rows[0]
    return {
        "against": against,
        "races": row.races,
        "win_rate": row.win_rate,
        "win_low": row.win_low,
        "win_high": row.win_high,
        "mean_place": row.mean_place,
        "equal": 1 / options.players,
    }


def train(options: Options) -> Any:
    """Train, or go on with a run; returns the model. After Ctrl-C or kill -9 a resumed run goes the same way.

    Raises:
        RoboRallyError: for options that do not fit, or a folder that holds another run.
    """
    folder = Path(options.out)
    old = read_checkpoint(folder) if options.resume else None
    if old is not None:
        refuse_changes(old["options"], options)
    elif (folder / "checkpoint.pt").exists():
        raise RoboRallyError(f"{folder}: holds a run; --resume goes on with it, or name another --out")
    torch.set_num_threads(options.threads or len(os.sched_getaffinity(0)))
    model = make_model(options, make_env(options))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RoboRallyError(f"{folder}: cannot write there: {error.strerror}") from None
    model.set_logger(configure(str(folder), ["tensorboard"]))
    if old is not None:
        put_back(model, old)
    watch = Watch(options, old["evaluations"] if old else [], old["generators"] if old else None)
    try:
        if model.num_timesteps < options.decisions:
            model.learn(options.decisions - model.num_timesteps, callback=watch, reset_num_timesteps=False)
        watch.state = full_state(model, options, watch.evaluations)
        watch.save()
        print()
        if options.final_games:
            watch.init_callback(model)
            watch.num_timesteps = model.num_timesteps
            watch.evaluate(options.final_games)
    except KeyboardInterrupt:
        watch.save()
        print(f"\nstopped; --resume --out {folder} goes on from the last whole update")
        sys.exit(130)
    return model


def refuse_changes(old: Options, new: Options) -> None:
    """Raise a RoboRallyError where a resumed run would be another."""
    for one in dataclasses.fields(Options):
        before, now = getattr(old, one.name), getattr(new, one.name)
        if one.name not in FREE and before != now:
            raise RoboRallyError(f"{one.name}: the run in {new.out} has {before!r}, got {now!r}; expected the same")


class Trained(ModelAgent):
    """What a run has trained, as an agent: `train_sb3:Trained:folder=out/sb3`."""

    def __init__(self, folder: str = "out/sb3", seed: int = 0) -> None:
        state = read_checkpoint(folder)
        options = dataclasses.replace(state["options"], games=2, rollout=2, minibatch=2)
        before = generators()
        model = make_model(options, make_env(options), device="cpu")
        set_generators(before)
        model.set_parameters(state["parameters"], device="cpu")
        super().__init__(model, name=Path(folder).name)


def parse(arguments: list[str] | None = None) -> Options:
    """The options of a command line."""
    parser = argparse.ArgumentParser(prog="train_sb3", description=__doc__.splitlines()[0])
    for one in dataclasses.fields(Options):
        name, default = "--" + one.name.replace("_", "-"), one.default
        shown = " ".join(default) or "none" if isinstance(default, tuple) else default
        more: dict[str, Any] = {"help": f"{one.metadata['help']} (default: {shown})".replace("%", "%%")}
        more["default"] = default
        if isinstance(default, bool):
            more["action"] = argparse.BooleanOptionalAction
        elif isinstance(default, tuple):
            more |= {"nargs": "*", "type": str}
        else:
            more |= {"type": type(default), "choices": one.metadata.get("choices")}
        parser.add_argument(name, **more)
    values = vars(parser.parse_args(arguments))
    options = Options(**{name: tuple(v) if isinstance(v, list) else v for name, v in values.items()})
    check(options)
    return options


POSITIVE = ("decisions", "games", "rollout", "minibatch", "epochs", "learning_rate", "width", "max_rounds")


def check(options: Options) -> None:
    """Raise a RoboRallyError for values that make no sense."""
    for agent in options.evaluate_against:
        make_agent(agent)
    for name in POSITIVE:
        if not getattr(options, name) > 0:
            raise RoboRallyError(f"{name}: expected more than 0, got {getattr(options, name)}")
    for name in ("threads", "evaluate_every", "evaluate_games", "final_games", "checkpoint_seconds", "entropy", "clip"):
        if getattr(options, name) < 0:
            raise RoboRallyError(f"{name}: expected 0 or more, got {getattr(options, name)}")
    for name in ("discount", "gae_lambda"):
        if not 0 <= getattr(options, name) <= 1:
            raise RoboRallyError(f"{name}: expected a number from 0 to 1, got {getattr(options, name)}")
    if not 0 <= options.seed < 2**32:
        raise RoboRallyError(f"seed: expected a whole number from 0 to {2**32 - 1}, got {options.seed}")
    if options.device != "auto":
        try:
            torch.empty(0, device=options.device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).splitlines()[0]
            raise RoboRallyError(f"device: expected auto, cpu or cuda, got {options.device!r}: {reason}") from None


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    try:
        train(parse(arguments))
    except RoboRallyError as error:
        sys.exit(f"train_sb3: {error}")


if __name__ == "__main__":
    main()
