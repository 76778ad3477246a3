"""WikiSplit: long sentences of Wikipedia that editors rewrote as two consecutive ones."""

from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import text_of
from core.text.contents import Documents

REWRITES = on_github(
    "wiki_split",
    "google-research-datasets/wiki-split@80f5bddf42d1a68201b7b107ee4b8d86d82e9fde",
    """
    88c3eff253f7ff3fcce9370bb54f750bc35f646c1b6d2a45df2b993c96670f7f 1_926_782 test.tsv
    67118f483438fc9f0ba12e63dc37f0eeff8bbad1873157509ced7e3e46582312 1_928_137 tune.tsv
    63931ff45b7d95d60480bdcd466d69894fc02a0ec975cab8d0955e9b8cceb922 1_912_947 validation.tsv
    """,
)

_BOUNDARY = "<::::>"


class WikiSplit(Dataset):
    """Pairs of consecutive sentences of the English Wikipedia, test, tuning and validation text.

    A text is such a pair, a sentence a line, without the original long sentence. The publisher tokenised the texts and
    writes a double quote as two single ones.

    Source: J. Botha, M. Faruqui, J. Alex, J. Baldridge, D. Das. Learning to Split and Rephrase from Wikipedia Edit
    History. EMNLP 2018.
    """

    title: ClassVar[str] = "WikiSplit"
    pinned: ClassVar[tuple[Source, ...]] = (REWRITES,)
    card: ClassVar[Card] = Card(
        summary="14,985 pairs of consecutive sentences from articles of the English Wikipedia.",
        licence="CC-BY-SA-4.0",
        citation=(
            "J. Botha, M. Faruqui, J. Alex, J. Baldridge, D. Das (2018). Learning to Split and Rephrase from Wikipedia "
            "Edit History. EMNLP."
        ),
        homepage="https://github.com/google-research-datasets/wiki-split",
    )

    def load(self) -> Documents:
        """Return each pair once, in the order of the files."""
        pairs = dict.fromkeys(
            pair for path, content in sorted(read(REWRITES).items()) for pair in _pairs(path, content)
        )
        if not pairs:
            raise DataCorrupt(f"{REWRITES.name} holds no sentences.")
        return Documents(tuple(map("\n".join, pairs)))


def _pairs(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text_of(name, content).split("\n"), 1):
        if not line.strip():
            continue
        _, _, rewrite = line.partition("\t")
        sentences = [" ".join(sentence.split()) for sentence in rewrite.split(_BOUNDARY)]
        if len(sentences) != 2:
            raise DataCorrupt(
                f"Line {number} of {name} must be a sentence, a tab and two sentences with {_BOUNDARY} between them. "
                f"It is {line[:80]!r}."
            )
        if all(sentences):
            yield sentences[0], sentences[1]
