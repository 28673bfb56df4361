"""`roborally train ppo`, `sb3`, `selfplay` and `value`: their options are the fields of dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection

import click

from roborally_env.base.terminal import print_lines
from roborally_env.base.types import Fields, Function, NamedValues, OptionValue
from roborally_env.cli.options import AnyValues, HintGroup, ManyValues, ManyValuesCommand, resumable
from roborally_env.training.extra import check_extra
from roborally_env.training.options import default_of, flag
from roborally_env.training.ppo.options import Options as PPOOptions
from roborally_env.training.sb3.options import Options as Sb3Options
from roborally_env.training.selfplay.options import Options as SelfplayOptions
from roborally_env.training.value.options import Options as ValueOptions

METAVARS = {bool: None, int: "N", float: "X", str: "S"}


@click.group(cls=HintGroup, invoke_without_command=True)
@click.pass_context
def train(context: click.Context) -> None:
    """Train a policy; needs the extra `train`.

    Each run has a folder, --out. However a run ends, the same command resumes it from its last checkpoint.
    """
    if context.invoked_subcommand is None:
        print_lines(*context.get_help().splitlines())


def options_of(
    kind: type, without: Collection[str] = (), defaults: Fields | None = None
) -> Callable[[Function], Function]:
    """An option for each field of a dataclass whose fields are made by `training.options.option`, but for some;
    `defaults` are other ones than the fields'. --lighter is short for a word of `rules`, or for --no-upgrades where
    there is no such field."""
    meant = "--rules upgrades=false" if "rules" in {one.name for one in dataclasses.fields(kind)} else "--no-upgrades"

    def add(command: Function) -> Function:
        command = click.option("--lighter", is_flag=True, help=f"Short for {meant}.")(command)
        for one in reversed(dataclasses.fields(kind)):
            if one.name not in without:
                command = _option(one, (defaults or {}).get(one.name, default_of(one)))(command)
        return command

    return add


def _option(one: dataclasses.Field[OptionValue], default: OptionValue) -> Callable[[Function], Function]:
    name, what, also = flag(one.name), one.metadata["help"], one.metadata["also"]
    if isinstance(default, bool):
        return click.option(f"{name}/--no-{name[2:]}", default=default, show_default=True, help=what)
    if isinstance(default, (list, tuple)):
        many = AnyValues if one.metadata["may_be_empty"] else ManyValues
        kind = type(default[0]) if default else str
        return click.option(
            name, cls=many, type=kind, default=default, metavar=f"{METAVARS[kind]}...", help=what + _words(default)
        )
    if one.metadata["words"]:
        return click.option(name, cls=AnyValues, default=(), metavar="NAME=VALUE...", help=what)
    known = one.metadata["choices"]
    kind = str if default is None else type(default)
    metavar = "|".join(known) if known else METAVARS[kind]
    if isinstance(default, float):  # click would put brackets round the text
        words = what + _words([f"{default:.3g}"])
        return click.option(name, *also, one.name, type=kind, default=default, metavar=metavar, help=words)
    shown = default not in (None, "")
    return click.option(name, type=kind, default=default, show_default=shown, metavar=metavar, help=what)


def _words(default: OptionValue) -> str:
    """The words of a default, for --help."""
    return f"  [default: {' '.join(map(str, default))}]" if default else ""


def made(kind: type, given: NamedValues) -> OptionValue:
    """The dataclass of options, of what a command with `options_of` was given."""
    if given.pop("lighter"):
        if "rules" in given:
            given["rules"] = ("upgrades=false", *given["rules"])
        else:
            given["upgrades"] = False
    about = {one.name: one for one in dataclasses.fields(kind)}

    def value_of(name: str, value: OptionValue) -> OptionValue:
        if about[name].metadata["words"]:
            return " ".join(value)
        return list(value) if isinstance(default_of(about[name]), list) else value

    return kind(**{name: value_of(name, value) for name, value in given.items()})


@train.command(cls=ManyValuesCommand)
@options_of(PPOOptions)
@click.option("--seeds", cls=AnyValues, type=int, metavar="N...", help="Train once with each seed, in OUT/seedN.")
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    show_default=True,
    help="How many --seeds run at once.",
)
def ppo(seeds: tuple[int, ...], processes: int, **given: OptionValue) -> int:
    """PPO from the observation, in self-play.

    One network plays every seat and chooses a program card by card. Before each card it sees where the cards so far
    take the robot, as a player at the table does; nothing is simulated. The folder contains checkpoint.pt,
    progress.csv, evaluation.csv, TensorBoard logs, options.json, and weights.npz for the agent
    ppo:weights=DIR/weights.npz.
    """
    check_extra("torch", "tensorboard")
    from roborally_env.training.ppo.run import STOPPED, train
    from roborally_env.training.ppo.seeds import train_seeds

    with resumable():
        options = made(PPOOptions, given)
        if seeds:
            return train_seeds(options, seeds, processes)
        return STOPPED if train(options).stopped else 0


@train.command(cls=ManyValuesCommand)
@options_of(Sb3Options)
def sb3(**given: OptionValue) -> int:
    """PPO of Stable-Baselines3, in self-play or against agents.

    The folder contains checkpoint.pt, progress.csv, evaluation.csv and TensorBoard logs. The trained policy races as
    the agent roborally_env.training.sb3:Trained:folder=DIR.
    """
    check_extra("torch", "tensorboard", "stable_baselines3", "sb3_contrib")
    from roborally_env.training.sb3.run import train

    with resumable():
        return train(made(Sb3Options, given))


@train.command(cls=ManyValuesCommand)
@options_of(SelfplayOptions)
def selfplay(**given: OptionValue) -> int:
    """PPO and expert iteration in self-play with a league.

    The network or a member of the league (a bot or an earlier version of the network) plays each seat. The folder
    contains checkpoint.pt, progress.csv, evaluation.csv, TensorBoard logs, options.json, and weights.npz for the
    agents learned:weights=DIR/weights.npz and learned-search:weights=DIR/weights.npz.

    --courses takes any mix of names, paths and generated courses such as generated:seed=1,levels=100.
    """
    check_extra("torch", "tensorboard")
    from roborally_env.training.selfplay.main import train

    with resumable():
        return train(made(SelfplayOptions, given))


@train.command(cls=ManyValuesCommand)
@options_of(ValueOptions)
def value(**given: OptionValue) -> int:
    """Learn the probability of winning from races of bots.

    The network also learns purchases and power downs. The folder contains checkpoint.pt, progress.csv, and weights.npz
    for the agent learned-search:weights=DIR/weights.npz. `roborally train selfplay --begin DIR/weights.npz` then
    learns to choose programs.
    """
    check_extra("torch", "tensorboard")
    from roborally_env.training.value.run import train

    with resumable():
        return train(made(ValueOptions, given))
