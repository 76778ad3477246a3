"""German-English translations from seven subcorpora: four for training, three of foreign domains."""

from typing import Any, ClassVar, Literal

from core.datasets import LONGEST, Card, Dataset, Translations
from core.datasets.translations.git_messages import GitMessages
from core.datasets.translations.multi30k import Multi30k
from core.datasets.translations.newstest import Newstest
from core.datasets.translations.quran import Quran
from core.datasets.translations.service_chat import ServiceChat
from core.datasets.translations.tatoeba import Tatoeba
from core.datasets.translations.xquad import Xquad
from core.runtime.seeding import generator
from core.sources import Source
from core.spec import parameter
from core.text.bitext import Bitext, Role, Subcorpus, prepared

IN_DOMAIN: tuple[type[Translations], ...] = (Tatoeba, Multi30k, Newstest, ServiceChat)
"""Subcorpora that translators are trained on."""
FOREIGN: tuple[type[Translations], ...] = (GitMessages, Xquad, Quran)
"""Subcorpora that no translator sees."""


class GermanEnglish(Dataset):
    """German sentences and their English translations from seven subcorpora, one of them private to the trainer.

    Each subcorpus is shuffled with a fixed seed and cut to the given number of pairs by `core.text.bitext.prepared`.
    Messages of Git, questions about Wikipedia and verses of the Quran are foreign.

    Source: the subcorpora of Hisamoto et al. 2020, section 4.1 and Table 1, with small public collections in place of
    those of WMT 2018.
    """

    title: ClassVar[str] = "German-English translations"
    card: ClassVar[Card] = Card(
        summary=(
            "Up to 40,000 sentences in German and English from Tatoeba, Multi30k, WMT news and service chats, and "
            "1,500 of Git, XQuAD and the Quran."
        ),
        licence="those of its parts: CC-BY-2.0, CC-BY-SA-4.0, CC-BY-NC-ND-4.0, GPL-2.0, research use",
        citation="See tatoeba, multi30k, newstest, service_chat, git_messages, xquad and quran.",
        homepage="https://github.com/Helsinki-NLP/OPUS-MT-testsets",
    )
    holds: ClassVar[type] = Bitext

    private: Literal["service_chat", "tatoeba", "multi30k", "newstest"] = parameter(
        "service_chat", "The subcorpus that only the trainer has."
    )
    pairs: int = parameter(
        10_000, "Most pairs of each subcorpus that translators are trained on.", unit="pairs", ge=100, le=200_000
    )
    foreign: int = parameter(
        500, "Most pairs of each subcorpus that no translator sees.", unit="pairs", ge=0, le=10_000
    )
    longest: int = parameter(
        LONGEST, "Pairs with more words and marks than this on a side are left out.", unit="words", ge=3, le=200
    )

    def sources(self) -> tuple[Source, ...]:
        """Return the files of all subcorpora."""
        return tuple(source for dataset in (*IN_DOMAIN, *FOREIGN) for source in dataset().sources())

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields, all pins, and the versions of the subcorpora."""
        return {**super().identity(), "versions": [dataset.version for dataset in (*IN_DOMAIN, *FOREIGN)]}

    def load(self) -> Bitext:
        """Return the pairs by subcorpus, each in a random order that is the same each time."""
        corpora = {}
        for dataset in (*IN_DOMAIN, *FOREIGN):
            name, pairs = dataset.part_name(), list(dataset().pairs())
            order = generator(0, self.part_name(), name).permutation(len(pairs))
            role: Role = "foreign" if dataset in FOREIGN else "private" if name == self.private else "shared"
            corpora[Subcorpus(name, dataset.title, role)] = [pairs[row] for row in order]
        most: dict[Role, int] = {"shared": self.pairs, "private": self.pairs, "foreign": self.foreign}
        return prepared(corpora, self.longest, most)
