"""300 news items of the Australian Broadcasting Corporation, shipped with gensim."""

from typing import ClassVar

from core.datasets import Card, Repetitive
from core.sources import Bundled, Pinned, Source, read
from core.text.contents import Documents

ITEMS = Bundled(
    name="lee_news",
    url="",
    origin="the test data of gensim",
    pinned=(Pinned("lee_background.cor", 360_082, "5d78d6dafd953bbf65797bef09a9ffb9ec430583381be705f8fd460000f370fb"),),
    package="gensim",
    folder="test/test_data",
)


class LeeNews(Repetitive):
    """News items of 2000 to 2002, one a document, without owners.

    Source: M. D. Lee, B. Pincombe, M. Welsh. An Empirical Evaluation of Models of Text Document Similarity. CogSci
    2005.
    """

    title: ClassVar[str] = "Lee news corpus"
    pinned: ClassVar[tuple[Source, ...]] = (ITEMS,)
    card: ClassVar[Card] = Card(
        summary="300 news items of the Australian Broadcasting Corporation (60,000 words); 289 are no near copies.",
        licence="none stated; distributed with gensim for research",
        citation=(
            "M. D. Lee, B. Pincombe, M. Welsh (2005). An Empirical Evaluation of Models of Text Document Similarity. "
            "CogSci."
        ),
        homepage="https://radimrehurek.com/gensim/",
        offline=True,
    )

    def load(self) -> Documents:
        """Return the items in the order of the file."""
        (content,) = read(ITEMS).values()
        return self.chosen(Documents(tuple(line.strip() for line in content.decode().splitlines() if line.strip())))
