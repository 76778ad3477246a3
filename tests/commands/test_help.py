"""The help of every command: what it does, what each argument is, and what its exit status says."""

import argparse
from collections.abc import Iterator

import pytest

from core import __main__ as command_line
from core.commands.terminal import Parser


def parsers(parser: Parser, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Parser]]:
    """Yield the words of each command, and its parser."""
    yield words, parser
    below = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for named in (*below, parser.instead):
        for word, inner in named.items():
            yield from parsers(inner, (*words, word))


COMMANDS = dict(parsers(command_line._parser()))


def test_every_command_is_looked_at() -> None:
    assert {(), ("run",), ("report", "verify"), ("audit", "ask"), ("audit", "schema")} <= COMMANDS.keys()
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_says_what_a_command_does_what_it_takes_and_how_it_ends(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    with pytest.raises(SystemExit) as ended:
        command_line.main([*words, "--help"])
    text = capsys.readouterr().out
    assert not ended.value.code and text.startswith(f"usage: {' '.join(('python -m core', *words))} ")
    assert len((COMMANDS[words].description or "").split()) >= 4 and COMMANDS[words].description in text
    assert "Exit status: 0 " in text and "130 stopped" in text
    for action in COMMANDS[words]._actions:
        if not isinstance(action, argparse._SubParsersAction):
            assert action.help, action.dest
        for name in action.option_strings or [action.metavar or action.dest]:
            assert str(name) in text
