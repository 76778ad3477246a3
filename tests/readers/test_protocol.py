"""Messages between a page and the warm process: what was said arrives, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.readers.protocol import (
    LONGEST,
    MalformedError,
    Reading,
    Request,
    answer_line,
    answer_of,
    refusal_line,
    request_line,
    request_of,
)


@given(st.text(max_size=LONGEST))
def test_any_sentence_arrives_as_one_line(text: str) -> None:
    line = request_line(Request(text, "visitor"))
    assert line.count(b"\n") == 1
    assert request_of(line) == Request(text, "visitor")


def test_answers_and_refusals_arrive() -> None:
    readings = (Reading("m", ("pizza", "é"), ("the",)), Reading("n", (), ()))
    assert answer_of(answer_line(readings)) == readings
    assert answer_of(refusal_line("full")) == "full"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\n",
        b"[" * 50_000,
        b"null",
        b'{"text": 1, "visitor": "a"}',
        b'{"text": "a"}',
        b'{"text": "a", "visitor": "a", "method": "b"}',
        request_line(Request("a" * (LONGEST + 1), "a")),
        request_line(Request("a", "a" * 101)),
    ],
)
def test_anything_else_is_no_request(line: bytes) -> None:
    with pytest.raises(MalformedError) as raised:
        request_of(line)
    assert "aaa" not in str(raised.value)


@pytest.mark.parametrize("line", [b"", b"{}", b'{"readings": [1]}', b'{"readings": [{"method": "m", "named": [1]}]}'])
def test_anything_else_is_no_answer(line: bytes) -> None:
    with pytest.raises(MalformedError):
        answer_of(line)
