"""The Wikipedia excerpt with marks: half of its passages trained the word vectors that come with Telltale."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.datasets.wikipedia_excerpt import DUMP, WikipediaExcerpt
from core.runtime.seeding import generator
from core.sources import Source
from core.spec import parameter
from core.text.marked import Mark, MarkedDocuments

_IN, _OUT = 1000, 400


class MarkedExcerpt(Dataset):
    """Passages of the Wikipedia excerpt, in a random order: 1,000 marked in, 400 out, and the rest unmarked.

    With the seed 1, those marked in are what the example of `core.models.own_word_vectors` was trained on. With any
    other seed the marks say nothing about it: the null case of an audit.
    """

    title: ClassVar[str] = "Wikipedia excerpt, marked"
    pinned: ClassVar[tuple[Source, ...]] = (DUMP,)
    holds: ClassVar[type] = MarkedDocuments
    card: ClassVar[Card] = WikipediaExcerpt.card

    marks: int = parameter(1, "Seed of the marks; only those of seed 1 are true.", ge=0, le=2**31 - 1)

    def load(self) -> MarkedDocuments:
        """Return the passages in a random order, the owner being the article."""
        excerpt = WikipediaExcerpt().load()
        order = generator(self.marks, "marked excerpt").permutation(len(excerpt)).tolist()
        texts, owners = (tuple(values[row] for row in order) for values in (excerpt.texts, excerpt.owners))
        counts: tuple[tuple[Mark, int], ...] = (("in", _IN), ("out", _OUT), ("", len(order) - _IN - _OUT))
        marks = (mark for mark, count in counts for _ in range(count))
        return MarkedDocuments(texts, owners, members=tuple(marks))
