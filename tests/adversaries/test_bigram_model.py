"""Texts that are written and changed are of known words, as likely as they were counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adversaries.bigram_model import END, BigramModel, tokens_of
from core.runtime.seeding import generator

TEXTS = ["the cat sat on the mat .", "The dog sat , too !", "a dog ran", "the mat ran to a cat"] * 5
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "too", "a", "ran", "to")
WRITER = BigramModel.of(TEXTS, WORDS)
EVEN = np.ones(len(WRITER.tokens), np.float32)


@given(st.text(max_size=60))
def test_no_character_of_a_text_is_lost_but_spaces(text: str) -> None:
    assert "".join(tokens_of(text)) == "".join(text.split())


def test_words_are_whole_and_marks_stand_alone() -> None:
    assert tokens_of("résumé 5_pm?! ok") == ["résumé", "5_pm", "?", "!", "ok"]


def test_a_text_of_known_words_is_written_as_it_was_read() -> None:
    for text in TEXTS:
        assert WRITER.text(WRITER.numbers(text)) == text
    assert WRITER.text(WRITER.numbers("the unheard cat")) == "the cat"
    assert WRITER.numbers("") == ()


def test_words_of_either_case_are_tokens_of_their_own_and_other_words_none() -> None:
    few = BigramModel.of(["The cat", "the dog"], ("the", "cat"))
    assert set(few.tokens) == {"", "The", "the", "cat"}
    odds = few.odds(("the", "cat"), np.array([[2, 3]], np.float32))[0]
    assert dict(zip(few.tokens, odds.tolist(), strict=True)) == {"": 1, "The": 2, "the": 2, "cat": 3}


def test_what_follows_is_as_likely_as_it_was_counted_and_smoothed() -> None:
    writer = BigramModel.of(["a b"] * 30 + ["a c"] * 10, ("a", "b", "c"))
    a, b, c = writer.numbers("a b c")
    rng = generator(1, "draws")
    even = np.ones(4, np.float32)
    seconds = [own[1] if len(own) > 1 else END for own in (writer.write(even, rng) for _ in range(4000)) if own[0] == a]
    shares = {END: 40 / 120, b: 30 / 120, c: 10 / 120}
    damped = 0.95 * 20 * 40 / 120  # what 'a' is less likely once it is there
    for token, share in shares.items():
        counted = {b: 30, c: 10}.get(token, 0)
        assert seconds.count(token) / len(seconds) == pytest.approx(
            (counted + 20 * share) / (40 + 20 - damped), abs=0.03
        )


@given(seed=st.integers(0, 2**32), length=st.integers(1, 12))
def test_a_change_is_one_and_of_known_tokens(seed: int, length: int) -> None:
    rng = generator(seed, "changes")
    guess = tuple(rng.integers(1, len(WRITER.tokens), length).tolist())
    other = tuple(rng.integers(1, len(WRITER.tokens), 5).tolist())
    changed = WRITER.changed(guess, other, EVEN, rng)
    assert changed
    assert all(END < token < len(WRITER.tokens) for token in changed)
    spliced = any(
        changed[:at] == guess[:at] and other[len(other) - len(changed) + at :] == changed[at:]
        for at in range(1, len(guess) + 1)
    )
    assert abs(len(changed) - len(guess)) <= 1 or spliced


def test_words_without_odds_are_never_written() -> None:
    odds = EVEN.copy()
    odds[[WRITER.tokens.index(word) for word in ("cat", "dog")]] = 0
    rng = generator(2, "writing")
    written = {token for _ in range(300) for token in WRITER.write(odds, rng)}
    assert {WRITER.tokens[token] for token in written} >= {"the", "mat", "ran"}
    assert not {WRITER.tokens[token] for token in written} & {"", "cat", "dog"}


def test_no_text_grows_without_bound() -> None:
    endless = BigramModel.of(["a"] * 2000, ("a",))
    long = tuple([1] * 200)
    assert len(endless.changed(long, long, np.ones(2, np.float32), generator(3, "long"))) <= 60
    never = np.array([0, 1], np.float32)
    assert len(endless.write(never, generator(3, "long"))) == 60
