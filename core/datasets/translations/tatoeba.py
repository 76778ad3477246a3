"""Tatoeba: everyday sentences in German and English, written and translated by volunteers."""

from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import text_of
from core.sources.zipped import members

SENTENCES = on_github(
    "tatoeba",
    "rioyshky/translation@de48b7027f7318d77010a6e08ed928c10748c23d",
    "b7688f84f99fa33c17397c14d8bd9cef1fdeb2ee0bf50074767023aee8926e28 4_012_023 deu-eng.zip",
)

_TABLE = "deu.txt"


class Tatoeba(Translations):
    """Everyday sentences in German and their translations into English.

    The collection has many translations of one sentence; the first is kept.

    Source: the export of the Tatoeba project for language learners (manythings.org/anki), May 2018.
    """

    title: ClassVar[str] = "Tatoeba sentences"
    pinned: ClassVar[tuple[Source, ...]] = (SENTENCES,)
    card: ClassVar[Card] = Card(
        summary="169,813 pairs of everyday sentences in German and English by volunteers, with repetitions.",
        licence="CC-BY-2.0",
        citation="The Tatoeba project, tatoeba.org, as exported in 2018.",
        homepage="https://tatoeba.org",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs, German first, from short to long."""
        for path, content in read(SENTENCES).items():
            files = dict(members(f"{SENTENCES.name}/{path}", content))
            if _TABLE not in files:
                raise DataCorrupt(f"{SENTENCES.name}/{path} holds no {_TABLE}.")
            for number, line in enumerate(text_of(_TABLE, files[_TABLE]).split("\n"), 1):
                if not line.strip():
                    continue
                english, tab, german = line.partition("\t")
                if not tab or "\t" in german:
                    raise DataCorrupt(
                        f"Line {number} of {_TABLE} must be an English sentence, a tab and a German one. "
                        f"It is {line[:80]!r}."
                    )
                yield german, english
