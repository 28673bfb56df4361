"""Options of several commands, and options that take several values after one name: `--agents planner greedy`."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import click

from roborally_env.base.errors import nearest
from roborally_env.base.types import JsonObject, OptionValue

WHOLE = 1000  # characters, more than any sentence has


class Stopped(click.ClickException):
    """Ctrl-C in a command that goes on where it was."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("stopped; the same command resumes")


@contextmanager
def resumable(out: object = True) -> Iterator[None]:
    """Say that the same command resumes one that Ctrl-C ends here, if it writes into a folder `out`."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort):
        if not out:
            raise
        raise Stopped from None


def some_path(context: click.Context, parameter: click.Parameter, value: OptionValue) -> OptionValue:
    """A callback that refuses an empty path, which would mean the current folder, or nothing."""
    if "" in (value if isinstance(value, tuple) else (value,)):
        raise click.BadParameter("expected a path, got ''", context, parameter)
    return value


class HintGroup(click.Group):
    """A group of commands that suggests the nearest commands for an unknown one, and describes each in a sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, whatever the width: click would cut the sentences that are longer than a line."""
        with formatter.section("Commands"):
            commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
            formatter.write_dl([(name, each.get_short_help_str(WHOLE)) for name, each in commands])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            hint = nearest(args[0], known) or f"; `{ctx.command_path} --help` lists them"
            raise click.UsageError(f"No such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


class ManyValues(click.Option):
    """A repeatable option that also takes all words up to the next option. For commands without arguments."""

    def __init__(self, *args: OptionValue, **kwargs: OptionValue) -> None:
        super().__init__(*args, **{**kwargs, "multiple": True})


class AnyValues(ManyValues):
    """The same, also without any words; none are then its value, not its default."""

    def type_cast_value(self, ctx: click.Context, value: object) -> OptionValue:
        """The words, without the empty one that stands for none."""
        return tuple(word for word in super().type_cast_value(ctx, value) if word != "")


class ManyValuesCommand(click.Command):
    """A command whose ManyValues options may be written `--name a b c`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        many = [p for p in self.params if isinstance(p, ManyValues)]
        names = {name for p in many for name in p.opts}
        empty = {name for p in many if isinstance(p, AnyValues) for name in p.opts}
        return super().parse_args(ctx, list(_spread(args, names, empty)))


def _spread(args: Sequence[str], names: Collection[str], empty: Collection[str] = ()) -> Iterator[str]:
    """`--name a b c` as `--name a --name b --name c`; one of `empty` without words as `--name ""`."""
    current = ""  # the option whose further words are values
    given = True  # whether it has its first value
    for word in args:
        if word.startswith("-"):
            if not given and current in empty:
                yield ""
                given = True
            if not given:
                break
            name, equals, _ = word.partition("=")
            current = name if name in names else ""
            given = not current or bool(equals)
        elif current:
            if given:
                yield current
            given = True
        yield word
    if not given and current in empty:
        yield ""
    elif not given:
        raise click.UsageError(f"Option {current!r} requires a value, as in {current} A B.")


def given_rules(words: Sequence[str], lighter: bool = False) -> JsonObject | None:
    """Rule options of words NAME=VALUE; None without any, for the edition's defaults.

    Raises:
        RoboRallyError: for a word that is not of that form.
    """
    from roborally_env.core.rule_options import read_rules

    return ({"upgrades": False} if lighter else {}) | read_rules(words) or None
