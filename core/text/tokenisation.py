"""One way to write a sentence, wherever it comes from: its words and marks, a space between any two."""

import html
import re
import sys
import unicodedata
from functools import cache

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WRITTEN_AS: dict[str, str] = {
    **dict.fromkeys("„“”‟«»″〝〞", '"'),
    **dict.fromkeys("’‘‚‛`´′‹›", "'"),  # noqa: RUF001 - look-alikes are the point
    **dict.fromkeys("‐‑‒–−－", "-"),  # noqa: RUF001 - as above
    **dict.fromkeys("—―⸺", " - "),
    "…": "...",
}
_REWRITTEN = (
    (re.compile(r"''"), '"'),
    (re.compile(r"\.(?:\s*\.)+"), " ... "),
    (re.compile(r"(?<=\w)--+(?=\w)|(?<!\S)--+(?!\S)"), " - "),
    # A word that another tokeniser has cut off its own.
    (re.compile(r"(?<=\w) +(?=(?:n't|'(?:s|t|re|ve|ll|d|m))(?![\w']))"), ""),
)


@cache
def _replaced() -> dict[int, str]:
    """Return what stands for the marks above, for unseen characters, and for Windows-1252 that was read as Latin-1."""
    unseen = {
        code: ""
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs") and not chr(code).isspace()
    }
    misread = {code: bytes([code]).decode("cp1252", errors="ignore") for code in range(0x80, 0xA0)}
    misread = {code: _WRITTEN_AS.get(character, character) for code, character in misread.items()}
    return unseen | misread | {ord(character): instead for character, instead in _WRITTEN_AS.items()}


_FIRST_MARK = "\u0300"
"""Characters before this one are no marks that combine with a letter, so that a faster pattern does."""


@cache
def _token(marked: bool) -> re.Pattern[str]:
    marks = (chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me"))
    word = rf"[\w{''.join(marks)}]" if marked else r"\w"
    return re.compile(
        rf"""
        \.\.\.
        | (?:[^\W\d_]\.){{2,}}(?!{word})  # an abbreviation keeps its stops
        | (?:(?<!\S)(?:--(?={word})|-(?=\d)))?  # an option and a negative number keep their dashes
          {word}+ (?: (?:['.-]|(?<=\d)[,:](?=\d)) {word}+ )*
          (?:-(?=[\s,]))?  # the first of two compounds that end alike keeps its hyphen
        | \S
        """,
        re.VERBOSE,
    )


def tokenised(text: str) -> str:
    r"""Return a sentence in the one way that all are written in.

    Entities are unescaped, characters composed (NFC), unseen ones removed. There is one quotation mark, one apostrophe,
    one dash and one ellipsis, so that no mark says which collection a sentence is from. Words and marks stand apart by
    single spaces. An apostrophe, a hyphen or a stop between letters or digits is part of the word, as is a comma or a
    colon between digits; so are the stops of abbreviations. Case stays. What is written so already stays as it is.

    >>> tokenised("»Das sind 3,50\xa0€«, sagte er – und\tging.")
    '" Das sind 3,50 € " , sagte er - und ging .'
    >>> tokenised("Do n't &quot; go &quot; , it 's the U.S. team&#8230;")
    'Don\'t " go " , it\'s the U.S. team ...'
    """
    written = _once(text)
    while written != text:
        text, written = written, _once(written)
    return written


def _once(text: str) -> str:
    while (plain := _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)) != text:
        text = plain
    if not text.isascii() or not text.isprintable() or "`" in text:
        text = unicodedata.normalize("NFC", text.translate(_replaced()))
    for pattern, instead in _REWRITTEN:
        text = pattern.sub(instead, text)
    return " ".join(_token(max(text, default="") >= _FIRST_MARK).findall(text))
