"""The Wikipedia excerpt with two classes of passages: about a person or not."""

import bz2
import re
from dataclasses import replace
from typing import ClassVar

from core.datasets import Card
from core.datasets.wikipedia_excerpt import DUMP, WikipediaExcerpt, articles
from core.sources import read
from core.text.contents import Documents

_PERSON = re.compile(r"\[\[Category:[^\[\]]*\b(?:births|deaths)\b", re.IGNORECASE)


class WikipediaPeople(WikipediaExcerpt):
    """The same passages, with the class ``person`` where the article is in a category of births or deaths.

    Eleven of the 106 articles are, such as Aristotle and Ayn Rand; the class of the others is ``other``. This is the
    two-class task that works offline, in place of spam.
    """

    title: ClassVar[str] = "Wikipedia excerpt, people told apart"
    card: ClassVar[Card] = replace(
        WikipediaExcerpt.card,
        summary="106 articles of the English Wikipedia of 2016; 441 of 2,936 passages are about 11 people.",
    )

    def _parse(self) -> Documents:
        (content,) = read(DUMP).values()
        people = {title for title, markup in articles(bz2.decompress(content)) if _PERSON.search(markup)}
        documents = super()._parse()
        return replace(documents, labels=tuple("person" if owner in people else "other" for owner in documents.owners))
