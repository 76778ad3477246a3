"""Sentences of restaurant reviews: public text for an adversary without texts of the victims' kind."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.sources.tables import labelled, text_of
from core.text.contents import Documents

SENTENCES = on_github(
    "yelp",
    "shentianxiao/language-style-transfer@f078a9d342705ea62b04dd3ac5926d3467c2ac63",
    "data/yelp/",
    """
    405ef6d4bfbc8bb92c3c55b496f315069cb5edb49ed34a07b1206341b83c344b 1_164_707 sentiment.dev.0
    3509f6573411bbda2d5c071ed72ad276c12356c15c06205b8fdf74b217970c61 1_603_395 sentiment.dev.1
    b7466e8859e9948892a859af7938a82c801c99b69f884014082fd072a155bbf2 2_295_973 sentiment.test.0
    a66e0ec3f0e1230ad4d2c822750a381cf6d99a99fa9b5ae79546f21ff79ed5c3 3_172_601 sentiment.test.1
    """,
)

_LABELS = {"0": "negative", "1": "positive"}
"""Class of the sentences in a file, by the last character of its name."""


class Yelp(Dataset):
    """Sentences of restaurant reviews, development and test text.

    The publisher lower-cased and tokenised them and replaced numbers by ``_num_``. The class is the sentiment of the
    whole review.

    Source: T. Shen, T. Lei, R. Barzilay, T. Jaakkola. Style Transfer from Non-Parallel Text by Cross-Alignment. NIPS
    2017. Use: the external corpus of Pan et al. 2020, section VI-C.
    """

    title: ClassVar[str] = "Restaurant reviews"
    pinned: ClassVar[tuple[Source, ...]] = (SENTENCES,)
    card: ClassVar[Card] = Card(
        summary="168,280 distinct sentences of restaurant reviews, with whether the review is positive or negative.",
        licence="Yelp Dataset terms of use (academic use)",
        citation=(
            "T. Shen, T. Lei, R. Barzilay, T. Jaakkola (2017). Style Transfer from Non-Parallel Text by "
            "Cross-Alignment. NIPS."
        ),
        homepage="https://github.com/shentianxiao/language-style-transfer",
    )

    def load(self) -> Documents:
        """Return the sentences in the order of the files."""
        return labelled(
            SENTENCES.name,
            (
                (line, _LABELS[path[-1]])
                for path, content in sorted(read(SENTENCES).items())
                for line in text_of(path, content).split("\n")
            ),
        )
