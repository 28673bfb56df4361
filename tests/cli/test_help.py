"""--help of every command shows its whole text at every width."""

import re

import click
import pytest

from roborally_env.cli.command import COMMANDS, cli

WIDTHS = (60, 80, 120)


def groups_and_commands(command=cli, words=()):
    """All commands with the words that call them, the command itself first."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from groups_and_commands(command.get_command(context, name), (*words, name))


ALL = dict(groups_and_commands())


def plain(text):
    """The text without line breaks, which may come after a hyphen."""
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("words", ALL, ids=lambda words: " ".join(words) or "roborally")
def test_help_is_whole_and_fits(words, width, roborally, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = roborally(*words, "--help")
    command = ALL[words]
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= width
    assert plain(command.help) in plain(out)
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{option.name} is not explained"
            assert plain(option.help) in plain(out)
            assert option.opts[0] in out


@pytest.mark.parametrize("width", WIDTHS)
def test_a_group_tells_of_each_command_in_a_whole_sentence(width, roborally, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    for words, command in ALL.items():
        if isinstance(command, click.Group) and words:
            out = plain(roborally(*words, "--help")[1])
            for name, each in command.commands.items():
                sentence = each.help.partition(". ")[0].partition("\n\n")[0]
                assert plain(f"{name} {sentence.removesuffix('.')}.") in out
    listed = plain(roborally("--help")[1])
    assert all(plain(f"{name} {line}") in listed for name, line in COMMANDS.items())


def test_a_default_is_told_as_it_is_written(roborally):
    out = roborally("train", "sb3", "--help")[1]
    assert "[default: 0.0005]" in re.sub(r"\s+", " ", out)
    assert "default: (" not in out
