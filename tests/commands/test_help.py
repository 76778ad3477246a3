"""The help of every command: what it does, what each argument is, and what its exit status says."""

import argparse
import re
from collections.abc import Iterator, Sequence

import pytest

from core import __main__ as command_line
from core.audits import plan
from core.audits.profiles import PROFILES
from core.commands import conclusion
from core.commands.terminal import Parser
from core.datasets.embeddings import Embeddings
from core.experiment import Experiment
from core.report.condition import Condition
from tests.errands import ROOT


def parsers(parser: Parser, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Parser]]:
    """Yield the words of each command, and its parser."""
    yield words, parser
    below = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for named in (*below, parser.instead):
        for word, inner in named.items():
            yield from parsers(inner, (*words, word))


COMMANDS = dict(parsers(command_line._parser()))
OWN = plan.own_encoder("")


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


def statuses(parser: Parser) -> set[str]:
    """Return the exit statuses that the help of a command names."""
    return set(re.findall(r"(?:: |; )(\d+) ", parser.epilog or ""))


def test_the_help_of_a_command_names_each_status_of_those_that_it_holds() -> None:
    for words, parser in COMMANDS.items():
        for depth in range(len(words)):
            if words[:depth] != ("report",):  # which verify takes over from
                assert statuses(COMMANDS[words[:depth]]) >= statuses(parser), (words[:depth], words)
    assert statuses(COMMANDS["audit",]) == statuses(COMMANDS["audit", "vectors"]) == set("01234") | {"130"}
    listed = re.search(r"The exit status is (.*?)\.\n", (ROOT / "docs/command_line.md").read_text("utf-8"), re.DOTALL)
    assert listed is not None and set(re.findall(r"\b(\d+)\b", listed[1])) == statuses(COMMANDS[()])


@pytest.mark.parametrize(
    ("words", "experiments"),
    [
        (("run",), [Experiment.preset("word_pairs", "demo")]),
        (("audit", "model"), [Experiment.preset("word_pair_audit", "demo")]),
        (("audit", "answer"), [Experiment.preset("classifier_audit", "demo")]),
        (
            ("audit", "vectors"),
            [step.experiment for step in plan.steps(Embeddings(source="x"), None, PROFILES["smoke"], OWN)],
        ),
    ],
)
def test_the_condition_that_help_shows_is_one_that_the_command_takes(
    words: tuple[str, ...], experiments: Sequence[Experiment]
) -> None:
    (shown,) = re.findall(r"such as '(.*?)', or 4", " ".join(COMMANDS[words].format_help().split()))
    conclusion.check_conditions([Condition.parse(shown)], experiments)
