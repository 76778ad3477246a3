"""Enron e-mails by mailbox: messages of 145 people, collected for subject line generation."""

from dataclasses import replace
from typing import ClassVar, Literal

from core.datasets import Card, Repetitive
from core.sources import Archive, Source, read
from core.sources.parsed import remembered
from core.spec import parameter
from core.text import emails
from core.text.contents import Documents
from core.text.corpus import beginning_of, words_of

ALL = Archive(
    name="enron_mailboxes",
    url="https://codeload.github.com/ryanzhumich/AESLC/tar.gz/7afc087a1cc234d07121f0d4a2d87102ddceabc2",
    origin="the GitHub repository ryanzhumich/AESLC",
    file="7afc087a1cc234d07121f0d4a2d87102ddceabc2.tar.gz",
    size=5_923_948,
    roots=("enron_subject_line",),
    tree_files=18_302,
    tree_sha256="97e1ff37fcfefd3c231e16066cbb3646a996b8cf1cdbbd121fcaca8767c2971d",
)


class EnronMailboxes(Repetitive):
    """E-mails from the mailboxes of 145 Enron employees.

    The text is the subject, without ``re:`` and ``fw:``, then the body after `core.text.emails.clean`. Subject lines
    proposed by annotators are dropped. What one of these people sent lies in the inbox of another, too, and replies
    quote what they answer: of a random half of all messages, 13% have over half of their runs of eight words in the
    other half. Leave such near copies out where single messages are asked about; a mailbox holds them.

    The owner is the owner of the mailbox: the author of its sent mail, and the recipient of its inbox, which is 57% of
    all messages. What an author forwards is sent mail, too.

    Source: R. Zhang, J. Tetreault. This Email Could Save Your Life: Introducing the Task of Email Subject Line
    Generation. ACL 2019.
    """

    title: ClassVar[str] = "Enron mailboxes"
    pinned: ClassVar[tuple[Source, ...]] = (ALL,)
    card: ClassVar[Card] = Card(
        summary="18,302 e-mails from the mailboxes of 145 Enron employees; 51 mailboxes hold 100 or more; 43% were "
        "sent by their owners. 16,062 are left without near copies.",
        licence="CC-BY-NC-SA-4.0 (non-commercial)",
        citation=(
            "R. Zhang, J. Tetreault (2019). This Email Could Save Your Life: Introducing the Task of Email Subject "
            "Line Generation. ACL."
        ),
        homepage="https://github.com/ryanzhumich/AESLC",
    )

    folder: Literal["all", "sent", "inbox"] = parameter(
        "all",
        "Mail that the owner of a mailbox sent, mail that others sent to it (the inbox), or both.",
        label="Mail",
        implied="all",
    )

    fewest: int = parameter(
        0, "Messages of fewer words are left out.", unit="words", ge=0, le=1000, advanced=True, implied=0
    )
    beginning: int = parameter(
        0,
        "Words from its beginning that are taken of each message; 0 for the whole message.",
        unit="words",
        ge=0,
        le=1000,
        advanced=True,
        implied=0,
    )

    def load(self) -> Documents:
        """Return the messages in the order of their file names; the owner is the mailbox."""
        unfiltered = self.replace(fewest=0, beginning=0)
        documents = remembered(f"{self.part_name()}-{unfiltered.key}", self._parse)
        if self.fewest:
            lengths = [len(words_of(text)) for text in documents.texts]
            documents = documents.select([row for row, length in enumerate(lengths) if length >= self.fewest])
        if self.beginning:
            texts = tuple(beginning_of(text, self.beginning) for text in documents.texts)
            documents = replace(documents, texts=texts)
        return documents

    def _parse(self) -> Documents:
        messages = {path.rpartition("/")[2]: content for path, content in read(ALL).items()}
        texts, owners = [], []
        for name in sorted(messages):
            text = _text(messages[name].decode())
            owner, folder = name.split("_")[:2]
            if text and self.folder in ("all", folder):
                texts.append(text)
                owners.append(owner)
        return self.chosen(Documents(tuple(texts), tuple(owners)))


def _text(content: str) -> str:
    """Return subject and cleaned body; ``@subject`` marks the subject, ``@ann0`` a proposed one."""
    body, _, annotations = content.partition("\n@subject\n")
    subject = annotations.partition("\n@ann")[0]
    return f"{emails.subject_of(' '.join(subject.split()))}\n{emails.clean(body)}".strip()
