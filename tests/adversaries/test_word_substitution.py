"""The word substitution trick: balanced, truly labelled, and pairs that differ in a word."""

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.adversaries.word_substitution import replaced, substituted, vocabulary
from core.text.secrets import Keyword
from tests.stand_ins import WORDS

TEXTS = ("The food was good.", "We flew to London, then home!", "Never again", "london LONDON london", "...", "")


def test_the_vocabulary_is_lower_case_and_sorted() -> None:
    assert vocabulary(("Tea, tea & Coffee", "", "caf\u00e9 2")) == ("2", "caf\u00e9", "coffee", "tea")


def test_a_word_takes_the_place_of_another() -> None:
    rng = np.random.default_rng(0)
    made = {replaced("so good here", "paris", rng) for _ in range(50)}
    assert made == {"paris good here", "so paris here", "so good paris"}
    assert replaced("?!", "paris", rng) == "paris"
    assert replaced("so", "\\1", rng) == "\\1"


@given(copies=st.integers(1, 4), seed=st.integers(0, 1000), anchor=st.sampled_from(["", "food", "home", "absent"]))
@settings(max_examples=25)
def test_it_is_balanced_and_truly_labelled(copies: int, seed: int, anchor: str) -> None:
    keyword = Keyword("London")
    words = vocabulary(TEXTS)
    texts, present = substituted(TEXTS, keyword, words, copies, np.random.default_rng(seed), anchor)
    assert len(texts) == 2 * copies * len(TEXTS)
    assert present == [0, 1] * (copies * len(TEXTS))
    assert [keyword.read(text) for text in texts] == present
    again, _ = substituted(TEXTS, keyword, words, copies, np.random.default_rng(seed), anchor)
    assert again == texts


@given(
    word=st.text(alphabet="ab.*+?[](){}|^$\\-'#\U0001f600\u00e9\u0130\u017f", min_size=1, max_size=6).map(str.strip),
    seed=st.integers(0, 100),
)
@settings(max_examples=30)
def test_hostile_keywords_are_labelled_truly(word: str, seed: int) -> None:
    keyword = Keyword(word)
    start = ("so good here", "bad tea again and again", f"one {word} two")
    texts, present = substituted(start, keyword, vocabulary(start), 2, np.random.default_rng(seed))
    assert [keyword.read(text) for text in texts] == present


@given(
    start=st.lists(
        st.text("ab \u0928\u0939\u093f\u094d\u0301\u064e\u0645\u5317\u4eac\u2764\ufe0f\U0001f600!", max_size=12),
        max_size=6,
    ),
    word=st.text("ab\u0928\u0939\u093f\u0301\u0645\u5317\u2764\ufe0f\U0001f600", min_size=1, max_size=3),
)
@settings(max_examples=150)
@example(start=["a", "\ufe0fb"], word="\ufe0fa")
def test_in_every_script_texts_are_labelled_truly(start: list[str], word: str) -> None:
    """What takes the place of a word takes it with its marks, and stands on its own there."""
    keyword = Keyword(word)
    texts, present = substituted(start, keyword, vocabulary(start), 2, np.random.default_rng(0))
    assert [keyword.read(text) for text in texts] == present


def test_words_keep_their_marks() -> None:
    hindi, accented = "\u0939\u093f\u0928\u094d\u0926\u0940", "re\u0301sume\u0301"
    assert vocabulary((f"{hindi}, {accented}!",)) == (accented, hindi)
    assert replaced(f"({accented})", "paris", np.random.default_rng(0)) == "(paris)"


def test_the_natural_text_stays_and_its_pair_differs_in_one_word() -> None:
    texts, _ = substituted(TEXTS[:3], Keyword("london"), ("tea", "london"), 3, np.random.default_rng(1))
    for number, start in enumerate(TEXTS[:3]):
        pairs = [texts[first_row : first_row + 2] for first_row in range(6 * number, 6 * number + 6, 2)]
        assert start in pairs[0]
        for without, with_it in pairs:
            first, second = (re.findall(r"\w+", text) for text in (without, with_it))
            assert sum(one != other for one, other in zip(first, second, strict=True)) == 1


def test_from_the_second_pair_on_both_texts_have_a_word_replaced() -> None:
    """So that a replaced word alone does not give the answer away."""
    texts, _ = substituted(("so good here",), Keyword("london"), ("tea",), 20, np.random.default_rng(0))
    assert texts[0] == "so good here"
    for without, with_it in zip(texts[2::2], texts[3::2], strict=True):
        assert without.replace("tea", "london") == with_it


def test_the_keyword_takes_the_anchors_place() -> None:
    texts, _ = substituted(("A pizza, hot",), Keyword("knee"), ("tea",), 2, np.random.default_rng(0), "Pizza")
    assert texts == ["A tea, hot", "A knee, hot"] * 2


@pytest.mark.parametrize("words", [(), ("london",)])
def test_without_other_words_there_is_still_one(words: tuple[str, ...]) -> None:
    texts, _ = substituted(("to London",), Keyword("london"), words, 1, np.random.default_rng(0))
    assert texts == ["to other", "to London"]


def test_the_place_of_the_keyword_is_any_place() -> None:
    rng = np.random.default_rng(0)
    texts, present = substituted([" ".join(WORDS[:6])] * 600, Keyword("london"), WORDS, 1, rng)
    positions = [text.split().index("london") for text, one in zip(texts, present, strict=True) if one]
    assert np.bincount(positions, minlength=6).min() > 60
