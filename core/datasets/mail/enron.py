"""Enron e-mails: the ham of Enron-Spam and the mailboxes together, each message once."""

from itertools import chain
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.datasets.mail.enron_mailboxes import EnronMailboxes
from core.datasets.mail.enron_spam import EnronSpam
from core.sources import Source
from core.sources.parsed import remembered
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.emails import FEWEST_WORDS
from core.text.near_copies import distinct

COLLECTIONS = (EnronSpam(near_copies="kept"), EnronMailboxes())


class Enron(Dataset):
    """E-mails of Enron employees from two collections, without duplicates in and across them.

    The collections treat punctuation, numbers and the ends of messages differently, so a message in both never has the
    same bytes. Messages are compared as word sequences: the longest copy is kept, and a message is dropped when 80% of
    its six-word runs are in one kept message, or when it has fewer than five words. The owner is the mailbox, named as
    in the full Enron collection.
    """

    title: ClassVar[str] = "Enron e-mails"
    card: ClassVar[Card] = Card(
        summary="About 30,000 e-mails from the mailboxes of 145 Enron employees, each message once.",
        licence="CC-BY-NC-SA-4.0 (non-commercial) for the mailboxes; Enron-Spam is offered for research",
        citation=f"{EnronSpam.card.citation} {EnronMailboxes.card.citation}",
        homepage="https://www.cs.cmu.edu/~enron/",
    )

    def sources(self) -> tuple[Source, ...]:
        """Return the archives of both collections."""
        return tuple(chain.from_iterable(collection.sources() for collection in COLLECTIONS))

    def identity(self) -> dict[str, Any]:
        """Return what determines the key, with the identities of both collections."""
        return {**super().identity(), "from": [collection.identity() for collection in COLLECTIONS]}

    def load(self) -> Documents:
        """Return the messages, Enron-Spam's first; the owner is the mailbox."""
        return remembered(f"{self.part_name()}-{self.key}", self._parse)

    def _parse(self) -> Documents:
        collections = [collection.load() for collection in COLLECTIONS]
        texts = tuple(chain.from_iterable(collection.texts for collection in collections))
        owners = tuple(chain.from_iterable(collection.owners for collection in collections))
        words = [words_of(text) for text in texts]
        long = [number for number, message in enumerate(words) if len(message) >= FEWEST_WORDS]
        return Documents(texts, owners).select([long[row] for row in distinct([words[number] for number in long])])
