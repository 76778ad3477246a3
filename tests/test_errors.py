"""What an error echoes is short, wherever it is said."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.__main__ import main
from core.errors import InvalidSpec, UnknownPart, abridged

LONG = "x" * 100_000


@given(st.text(st.sampled_from("ab '\"\\\n=é…"), max_size=20).map(lambda text: text * 5_000))
def test_a_long_value_is_shortened_and_the_sentence_around_it_stays(value: str) -> None:
    message = str(InvalidSpec(f"The 'seed' parameter must be a whole number. Got {value!r} instead. Try 1."))
    assert len(message) <= 2_100
    assert message.startswith("The 'seed' parameter must be a whole number. Got ") and message.endswith(
        " instead. Try 1."
    )


def test_short_messages_stay_as_they_are() -> None:
    prose = f"The person's model {'holds many words ' * 20}and the user's too."
    for message in ("", "No folder '/a/b' is here.", prose, f"/{'folder/' * 30}file is missing."):
        assert abridged(message) == message
    assert len(str(UnknownPart("attack", LONG, ["word_pairs"]))) < 200


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", LONG],
        ["run", "word_pairs", "--dataset", LONG],
        ["run", "word_pairs", "--preset", LONG],
        ["run", "word_pairs", "--seed", LONG],
        ["run", "word_pairs", "--engine", LONG],
        ["run", "word_pairs", "--set", f"{LONG}=1"],
        ["run", "word_pairs", "--set", f"seed={LONG}"],
        ["run", "word_pairs", f"--{LONG}"],
        ["data", "check", LONG],
        [LONG],
    ],
    ids=lambda arguments: " ".join(argument[:9] for argument in arguments),
)
def test_the_command_line_echoes_little(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        assert main(arguments) == 1
    assert 0 < len(capsys.readouterr().err) < 1_000
