"""Git: its messages in English, and their German translations by volunteers."""

import re
from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import text_of

CATALOGUES = on_github(
    "git_messages",
    "git-l10n/git-po@18e66859d87fb4b76599f73460b54f0848c76b16",
    """
    a92c2754fc1ea5092c14011fc92048a918fde842554b230e2bbafea970944777 72_106 git-gui/po/de.po
    7198c9498f83de6fc171cac44e08273ed23168c2c2ded0e0863be1a510690301 24_273 gitk-git/po/de.po
    5164879585e35010430990aee1cda416f8298c33ae17d7133d4c6d5122e6889c 741_279 po/de.po
    """,
)

FEWEST = 3
"""Fewest words of two letters or more; shorter messages are labels, not sentences."""

_FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+(".*)')
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE = re.compile(r"\\(.)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PATTERN = re.compile(r"[%<>\[\]{}|$]|\S\n\S")


class GitMessages(Translations):
    """Messages of git, git-gui and gitk.

    A message is kept if it is on one line, has at least three words on both sides, and has no placeholder for a value
    (``%s``) or for user input (``<file>``). Fuzzy translations and plural forms are left out.

    Use: out-of-domain text, as in Hisamoto et al. 2020, section 4.1.
    """

    title: ClassVar[str] = "Git messages"
    pinned: ClassVar[tuple[Source, ...]] = (CATALOGUES,)
    card: ClassVar[Card] = Card(
        summary="2,855 messages of the version control program Git in English, translated into German by volunteers.",
        licence="GPL-2.0",
        citation="R. Thielow, M. Rüster and others. German translation of Git, github.com/git-l10n/git-po, 2025.",
        homepage="https://github.com/git-l10n/git-po",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the messages in the order of the catalogues, German first."""
        for path, content in read(CATALOGUES).items():
            for entry in _entries(path, text_of(path, content)):
                german, english = entry.get("msgstr", ""), entry.get("msgid", "")
                sides = german.strip(), english.strip()
                if not any(len(_WORD.findall(side)) < FEWEST or _PATTERN.search(side) for side in sides):
                    yield sides


def _entries(name: str, text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each entry that is neither fuzzy nor obsolete nor has plural forms, unescaped."""
    entry: dict[str, str] = {}
    field, fuzzy = "", False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        line = line.rstrip("\r")
        if not line.strip():
            if entry and not fuzzy and "msgid_plural" not in entry:
                yield entry
            entry, field, fuzzy = {}, "", False
        elif line.startswith("#"):
            fuzzy |= line.startswith("#,") and "fuzzy" in line
        else:
            match = _FIELD.fullmatch(line)
            field = match[1] if match else field
            quoted = _QUOTED.fullmatch(match[2] if match else line)
            if not field or not quoted or (match and field in entry):
                raise DataCorrupt(
                    f"Line {number} of {name} must be a comment, a field with a text in double quotes, or more of that "
                    f"text. It is {line[:80]!r}."
                )
            entry[field] = entry.get(field, "") + _ESCAPE.sub(_unescaped, quoted[1])


def _unescaped(escape: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(escape[1], escape[1])
