"""Texts that are written and edited are of known words, as likely as they were counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adversaries.search.bigram_model import END, BigramModel, tokens_of
from core.runtime.seeding import generator

TEXTS = ["the cat sat on the mat .", "The dog sat , too !", "a dog ran", "the mat ran to a cat"] * 5
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "too", "a", "ran", "to")
BIGRAMS = BigramModel.of(TEXTS, WORDS)
EVEN = np.ones(len(BIGRAMS.tokens), np.float32)


@given(st.text(max_size=60))
def test_no_character_of_a_text_is_lost_but_spaces(text: str) -> None:
    assert "".join(tokens_of(text)) == "".join(text.split())


def test_words_are_whole_and_marks_stand_alone() -> None:
    assert tokens_of("résumé 5_pm?! ok") == ["résumé", "5_pm", "?", "!", "ok"]


def test_a_text_of_known_words_comes_back_from_its_numbers() -> None:
    for text in TEXTS:
        assert BIGRAMS.text(BIGRAMS.numbers(text)) == text
    assert BIGRAMS.text(BIGRAMS.numbers("the unheard cat")) == "the cat"
    assert BIGRAMS.numbers("") == ()


def test_words_of_either_case_are_tokens_of_their_own_and_other_words_none() -> None:
    few = BigramModel.of(["The cat", "the dog"], ("the", "cat"))
    assert set(few.tokens) == {"", "The", "the", "cat"}
    odds = few.odds(("the", "cat"), np.array([[2, 3]], np.float32))[0]
    assert dict(zip(few.tokens, odds.tolist(), strict=True)) == {"": 1, "The": 2, "the": 2, "cat": 3}


def test_what_follows_is_as_likely_as_it_was_counted_and_smoothed() -> None:
    bigrams = BigramModel.of(["a b"] * 30 + ["a c"] * 10, ("a", "b", "c"))
    a, b, c = bigrams.numbers("a b c")
    rng = generator(1, "draws")
    even = np.ones(4, np.float32)
    seconds = [
        text[1] if len(text) > 1 else END for text in (bigrams.write(even, rng) for _ in range(4000)) if text[0] == a
    ]
    shares = {END: 40 / 120, b: 30 / 120, c: 10 / 120}
    damped = 0.95 * 20 * 40 / 120  # what 'a' is less likely once it is there
    for token, share in shares.items():
        counted = {b: 30, c: 10}.get(token, 0)
        assert seconds.count(token) / len(seconds) == pytest.approx(
            (counted + 20 * share) / (40 + 20 - damped), abs=0.03
        )


@given(seed=st.integers(0, 2**32), length=st.integers(1, 12))
def test_an_edit_is_one_and_of_known_tokens(seed: int, length: int) -> None:
    rng = generator(seed, "changes")
    proposal = tuple(rng.integers(1, len(BIGRAMS.tokens), length).tolist())
    other = tuple(rng.integers(1, len(BIGRAMS.tokens), 5).tolist())
    edited = BIGRAMS.edit(proposal, other, EVEN, rng)
    assert edited
    assert all(END < token < len(BIGRAMS.tokens) for token in edited)
    spliced = any(
        edited[:at] == proposal[:at] and other[len(other) - len(edited) + at :] == edited[at:]
        for at in range(1, len(proposal) + 1)
    )
    assert abs(len(edited) - len(proposal)) <= 1 or spliced


def test_words_without_odds_are_never_written() -> None:
    odds = EVEN.copy()
    odds[[BIGRAMS.tokens.index(word) for word in ("cat", "dog")]] = 0
    rng = generator(2, "writing")
    written = {token for _ in range(300) for token in BIGRAMS.write(odds, rng)}
    assert {BIGRAMS.tokens[token] for token in written} >= {"the", "mat", "ran"}
    assert not {BIGRAMS.tokens[token] for token in written} & {"", "cat", "dog"}


@pytest.mark.parametrize(("longest", "most"), [({}, 60), ({"longest": 7}, 7), ({"longest": 480}, 480)])
def test_no_text_grows_without_bound(longest: dict[str, int], most: int) -> None:
    endless = BigramModel.of(["a"] * 2000, ("a",), **longest)
    long = tuple([1] * 500)
    assert len(endless.edit(long, long, np.ones(2, np.float32), generator(3, "long"))) == most
    never = np.array([0, 1], np.float32)
    assert len(endless.write(never, generator(3, "long"))) == most
