"""Two translations of the Quran, into German and into English, verse by verse."""

import re
from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import text_of

VERSES = on_github(
    "quran",
    "hablullah/data-quran@a045c2317cdb77a26938ecfd984ef90446c6f50d",
    "ayah-translation/",
    """
    db9c343dd4ba567170ac242e5495c30eecf67a1c0773b59fab84ae657ace2349 1_001_049 de-bubenheim-tanzil.md
    c567c191bbb0d3edd7eb7803bc1fdb44722ab16eeffddb7f433132dbeaa7deb3 926_098 en-sahih-tanzil.md
    """,
)

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ESCAPED = re.compile(r"\\([^\w\s])")


class Quran(Translations):
    """Verses of the Quran in German (A. S. F. Bubenheim, N. Elyas) and in English (Saheeh International).

    Both were translated from Arabic, so neither is a translation of the other. Verses are long.

    Use: the out-of-domain religious text of Hisamoto et al. 2020, section 4.1 (Koran).
    """

    title: ClassVar[str] = "Quran verses"
    pinned: ClassVar[tuple[Source, ...]] = (VERSES,)
    card: ClassVar[Card] = Card(
        summary="The 6,236 verses of the Quran in German (Bubenheim and Elyas) and English (Saheeh International).",
        licence="CC-BY-NC-ND-4.0",
        citation=(
            "A. S. F. Bubenheim, N. Elyas; Saheeh International. Translations of the Quran, as published by "
            "tanzil.net (2011)."
        ),
        homepage="https://github.com/hablullah/data-quran",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the verses in order, German first."""
        german, english = (_verses(path, content) for path, content in sorted(read(VERSES).items()))
        if odd := sorted(german.keys() ^ english.keys()):
            raise DataCorrupt(f"{VERSES.name} must have each verse in both languages. It has verse {odd[0]} in one.")
        for number, verse in german.items():
            yield verse, english[number]


def _verses(name: str, content: bytes) -> dict[int, str]:
    """Return the verses by their number over all chapters, without the backslashes of Markdown."""
    plain = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text_of(name, content))
    verses: dict[int, str] = {}
    for number, line in enumerate(plain.split("\n"), 1):
        mark, _, verse = line.partition(" ")
        if mark == "#" and verse.strip().isdecimal() and int(verse) == len(verses) + 1:
            verses[int(verse)] = ""
        elif line.strip() and verses and mark != "#":
            verses[len(verses)] = " ".join(filter(None, (verses[len(verses)], _ESCAPED.sub(r"\1", line).strip())))
        elif line.strip():
            raise DataCorrupt(
                f"Line {number} of {name} must be part of a verse, or '# {len(verses) + 1}' before the next. "
                f"It is {line[:80]!r}."
            )
    if empty := [verse for verse, text in verses.items() if not text]:
        raise DataCorrupt(f"Verse {empty[0]} of {name} is empty.")
    return verses
