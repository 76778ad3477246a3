"""Tokenises sentences of any origin alike: words and marks, separated by single spaces."""

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
    # A contraction that another tokeniser has split.
    (re.compile(r"(?<=\w) +(?=(?:n't|'(?:s|t|re|ve|ll|d|m))(?![\w']))"), ""),
)


@cache
def _replaced() -> dict[int, str]:
    """Return replacements of the marks above, of invisible characters, and of Windows-1252 decoded as Latin-1."""
    invisible = {
        code: ""
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs") and not chr(code).isspace()
    }
    misread = {code: bytes([code]).decode("cp1252", errors="ignore") for code in range(0x80, 0xA0)}
    misread = {code: _WRITTEN_AS.get(character, character) for code, character in misread.items()}
    return invisible | misread | {ord(character): instead for character, instead in _WRITTEN_AS.items()}


_FIRST_MARK = "\u0300"
"""The first combining mark; texts without characters from here on need only a faster pattern."""


@cache
def _token(marked: bool) -> re.Pattern[str]:
    marks = (chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me"))
    word = rf"[\w{''.join(marks)}]" if marked else r"\w"
    return re.compile(
        rf"""
        \.\.\.
        | (?:[^\W\d_]\.){{2,}}(?!{word})  # an abbreviation keeps its full stops
        | (?:(?<!\S)(?:--(?={word})|-(?=\d)))?  # an option and a negative number keep their dashes
          {word}+ (?: (?:['.-]|(?<=\d)[,:](?=\d)) {word}+ )*
          (?:-(?=[\s,]))?  # a suspended compound keeps its hyphen
        | \S
        """,
        re.VERBOSE,
    )


def tokenised(text: str) -> str:
    r"""Return a sentence as words and marks, separated by single spaces.

    Entities are unescaped, characters composed (NFC), and invisible ones removed. All quotation marks, apostrophes,
    dashes and ellipses are written alike, so that no mark reveals a sentence's collection. An apostrophe, a hyphen or a
    full stop between letters or digits belongs to the word, as do a comma or a colon between digits and the full stops
    of abbreviations. Case is kept. A tokenised sentence stays the same.

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
