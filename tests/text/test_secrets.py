"""A keyword is a word of its own, whatever it is made of."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.text.secrets import Keyword

HOSTILE = ("c++", "a.b", "(", "[x]", "\\w", "$", "^a|b*", "\U0001f600", "new york", "\u00fcber", "o'neill", "{1}", "?")
NA, HINDI = "\u0928", "\u0939\u093f\u0928\u094d\u0926\u0940"
"""A letter, and a word that has it between vowel signs."""
HA, HELLO = "\u062d", "\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627"
"""The same in Arabic, with its vowel points."""


@pytest.mark.parametrize(
    ("word", "text", "answer"),
    [
        ("london", "To LONDON, at last", 1),
        ("London", "london", 1),
        ("London", "Londonderry", 0),
        ("London", "inlondon", 0),
        ("London", "london_bridge", 0),
        ("London", "london-bridge's", 1),
        ("London", "", 0),
        ("new york", "the New York airport", 1),
        ("new york", "a new airport in york", 0),
        ("c++", "I like C++, not C", 1),
        ("c", "I like C++", 1),
        ("a.b", "a b acb", 0),
        ("\u00e9t\u00e9", "L'\u00c9T\u00c9 dernier", 1),
        ("\u6771\u4eac", "\u6771\u4eac \u3078", 1),
        ("\u6771\u4eac", "\u79c1\u306f\u6771\u4eac\u306b", 0),
        ("\U0001f600", "well \U0001f600!", 1),
        ("\u2764", "I \u2764\ufe0f it", 1),
        ("london", "\u2764\ufe0flondon", 1),
        ("cafe", "the cafe\u0301", 0),
        ("cafe\u0301", "the cafe\u0301", 1),
        (NA, HINDI, 0),
        (HINDI, f"{NA} {HINDI}, {NA}", 1),
        (HA, HELLO, 0),
        (HELLO, f"{HELLO}!", 1),
    ],
)
def test_it_is_found_on_its_own_in_either_case(word: str, text: str, answer: int) -> None:
    assert Keyword(word).read(text) == answer
    assert Keyword(word).values[answer] == ("present" if answer else "absent")


@given(word=st.text(min_size=1, max_size=20).map(str.strip).filter(bool))
@example("\u0130")
@example("\\g<0>")
def test_any_string_is_a_keyword(word: str) -> None:
    keyword = Keyword(word)
    text = f"== {word} =="
    assert keyword.read(text) == 1
    assert keyword.replace(text, "\\1").count("\\1") >= 1, "what is put in its place is taken literally"


@pytest.mark.parametrize("word", HOSTILE)
def test_it_is_replaced_everywhere(word: str) -> None:
    text = f"first {word}, second {word.upper()}."
    assert Keyword(word).replace(text, "tea") == "first tea, second tea."
    assert Keyword(word).read(Keyword(word).replace(text, "tea")) == 0
