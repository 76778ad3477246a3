"""A byte-pair encoding gives back every text, learns what is common, and is the same each time."""

import os
import subprocess

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.subwords import BOUNDARY, FEWEST, PADDING, Subwords
from tests.errands import ROOT, python

TEXTS = ["The green house, the green garden.", "Ein grünes Haus; ein grüner Garten!", "a <pad> b"] * 3
LEARNT = Subwords.learn(TEXTS, 400)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_every_text_comes_back_but_for_white_space(text: str) -> None:
    (tokens,) = LEARNT.encode([text])
    assert not np.isin(tokens, [PADDING, BOUNDARY]).any()
    assert tokens.max(initial=0) < len(LEARNT)
    assert LEARNT.decode([tokens]) == [" ".join(text.split())]


def test_what_is_common_becomes_one_piece() -> None:
    (tokens,) = LEARNT.encode(["ein green Garten"])
    assert len(tokens) == 3
    assert len(Subwords.learn(TEXTS, FEWEST)) == FEWEST
    assert len(LEARNT) <= 400


def test_it_is_the_same_each_time_and_after_it_was_kept() -> None:
    assert Subwords.learn(TEXTS, 400) == LEARNT
    script = f"from core.text.subwords import Subwords; print(Subwords.learn({TEXTS!r}, 400).learnt)"
    elsewhere = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONUTF8": "1"}
    assert subprocess.check_output(python("-c", script), cwd=ROOT, env=elsewhere).decode().strip() == LEARNT.learnt
    kept = Subwords.from_array(LEARNT.as_array())
    assert kept == LEARNT
    assert [row.tolist() for row in kept.encode(TEXTS)] == [row.tolist() for row in LEARNT.encode(TEXTS)]


def test_bytes_that_are_no_character_are_said_so() -> None:
    (tokens,) = LEARNT.encode(["€"])
    assert "�" in LEARNT.decode([tokens[:-1]])[0]
