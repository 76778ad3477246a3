"""A text shown as it was written, its words marked, whatever it contains."""

import pytest

from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal

ADDRESSES = ("see www.example.com", "http://example.com", "https://example.com/a", "mail a.b@example.com now")


def plain(markdown: str) -> str:
    """Return a marked text without its marks."""
    for sign in (":orange-background[:orange[**", "**]]", "\\", "\u2060"):
        markdown = markdown.replace(sign, "")
    return markdown


@pytest.mark.parametrize(
    "text",
    [
        "The pizza, the waiter's pizza: cold!",
        "the",
        "",
        "  The\n\nend  ",
        "*the* [the](the) :red[the] <b>the</b>",
        "10 the. the",
        "note:the the:note",
        *ADDRESSES,
    ],
)
def test_nothing_but_marks_and_signs_is_added(text: str) -> None:
    assert plain(marked(text, {"the", "pizza"})) == " ".join(text.split())


def test_whole_words_are_marked_in_either_case() -> None:
    marked_text = marked("The other, ÉTÉ and été_2", ["the", "été"])
    assert marked_text.count("**]]") == 2
    assert "[**The**]] other" in marked_text and "[**ÉTÉ**]] and été" in marked_text


@pytest.mark.parametrize("text", ADDRESSES)
def test_no_address_is_left_that_a_browser_would_link(text: str) -> None:
    plain = literal(text).replace("\\", "")
    assert not any(address in plain for address in ("www.", "://", "@example"))
    assert plain.replace("\u2060", "") == text
