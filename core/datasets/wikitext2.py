"""WikiText-2, test and validation text: paragraphs of good and featured Wikipedia articles."""

import re
from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.text.contents import Documents
from core.text.corpus import words_of

TEXTS = on_github(
    "wikitext2",
    "pytorch/examples@77f55b912142e11fcfdf5b530231fb9c52f181e8",
    "word_language_model/data/wikitext-2/",
    """
    d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0 1_256_449 test.txt
    f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8 1_121_681 valid.txt
    """,
)

FEWEST_WORDS = 25
"""Shorter lines are captions, list items and formulae."""

_TITLE = re.compile(r"^ = ([^=].*?) = $")
_HEADING = re.compile(r"^ =( =)+ .* =( =)+ $")
_SPLIT_SIGN = re.compile(r" @(\W)@ ")


class Wikitext2(Dataset):
    """Paragraphs of 120 encyclopedia articles.

    A document is a paragraph of at least 25 words. The publisher's marks around signs in words and numbers (``@-@``)
    are removed, as is its mark for rare words (``<unk>``).

    Source: S. Merity, C. Xiong, J. Bradbury, R. Socher. Pointer Sentinel Mixture Models. ICLR 2017.
    """

    title: ClassVar[str] = "WikiText-2"
    pinned: ClassVar[tuple[Source, ...]] = (TEXTS,)
    card: ClassVar[Card] = Card(
        summary="Paragraphs of 120 good and featured Wikipedia articles (455,000 words), test and validation text.",
        licence="CC-BY-SA-3.0",
        citation="S. Merity, C. Xiong, J. Bradbury, R. Socher (2017). Pointer Sentinel Mixture Models. ICLR.",
        homepage="https://github.com/pytorch/examples/tree/main/word_language_model",
    )

    def load(self) -> Documents:
        """Return the paragraphs in the order of the files; the owner is the article's title."""
        paragraphs = [item for _, content in sorted(read(TEXTS).items()) for item in _paragraphs(content.decode())]
        texts, owners = zip(*paragraphs, strict=True)
        return Documents(texts, owners)


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Yield each paragraph with the title of its article."""
    article = ""
    for line in text.split("\n"):
        if title := _TITLE.match(line):
            article = _plain(title.group(1))
        elif not _HEADING.match(line) and len(words_of(paragraph := _plain(line))) >= FEWEST_WORDS:
            yield paragraph, article


def _plain(line: str) -> str:
    return " ".join(_SPLIT_SIGN.sub(r"\1", line).replace("<unk>", " ").split())
