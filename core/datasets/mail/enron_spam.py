"""Enron-Spam: e-mails of six mailboxes and spam from elsewhere, collected for spam filtering."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from core.datasets import Card, NearCopies, Repetitive, near_copies_parameter
from core.sources import Archive, Source, on_github, read
from core.sources.parsed import remembered
from core.sources.zipped import members
from core.spec import parameter
from core.text import emails
from core.text.contents import Documents

ALL = Archive(
    name="enron_spam",
    url="https://codeload.github.com/DungQuangUiT/enron_dataset/tar.gz/293b93383d232e9a5790b708d3d746ee048ed70d",
    origin="the GitHub repository DungQuangUiT/enron_dataset",
    file="293b93383d232e9a5790b708d3d746ee048ed70d.tar.gz",
    size=17_366_331,
    roots=("enron1", "enron2", "enron3", "enron4", "enron5", "enron6"),
    tree_files=33_721,
    tree_sha256="51f8cd7cd7e17bd2f13712db1a50ebe0b969df323bb08aee444e5be43b943277",
)
FIRST = on_github(
    "enron_spam_1",
    "oreilly-japan/ml-security-jp@565def0834d063281ff0776918ad829020919752",
    "97d1e3942057e7a9192af73adc70dad1f4279a05dadde2c1606a364c245519ed 3_597_958 ch02/enron1.zip",
)

PEOPLE = {
    "beck": "beck-s",
    "farmer": "farmer-d",
    "kaminski": "kaminski-v",
    "kitchen": "kitchen-l",
    "lokay": "lokay-m",
    "williams": "williams-w3",
}
"""Mailbox names in file names, and the same people's names in the full Enron collection."""


class EnronSpam(Repetitive):
    """E-mails of six Enron employees (ham), and spam.

    The text is the subject, without ``re:`` and ``fw:``, then the body after `core.text.emails.clean`. The publisher
    tokenised the texts. Messages whose text is empty are left out, and so are near copies: 21% of the employees'
    messages (13% of kitchen-l, 56% of williams-w3) and 44% of the spam share half of their six-word runs with a
    longer one. Where one copy is in a model's training documents and another is a target, an answer reveals both.
    Spam is 42.5% of what is left, and 51% of all. The class is ``ham`` or ``spam``.

    Source: V. Metsis, I. Androutsopoulos, G. Paliouras. Spam Filtering with Naive Bayes - Which Naive Bayes? CEAS 2006.
    """

    title: ClassVar[str] = "Enron-Spam"
    card: ClassVar[Card] = Card(
        summary="E-mails of six Enron employees and spam, subject and body: of 33,658 the 22,609 that are no near "
        "copies, 42.5% of them spam.",
        licence="released by the U.S. Federal Energy Regulatory Commission; collection offered for research",
        citation=(
            "V. Metsis, I. Androutsopoulos, G. Paliouras (2006). Spam Filtering with Naive Bayes - Which Naive Bayes? "
            "CEAS."
        ),
        homepage="https://www2.aueb.gr/users/ion/data/enron-spam/",
    )

    label: Literal["ham", "spam", "both"] = parameter("ham", "The employees' e-mails, the spam, or both.")
    parts: Literal["all", "first"] = parameter(
        "all", "All six parts, or only the first, which is a smaller download (D. Farmer's mailbox)."
    )

    near_copies: NearCopies = near_copies_parameter("left out")

    def sources(self) -> tuple[Source, ...]:
        """Return the archive of all parts, or the zip file of the first."""
        return (ALL if self.parts == "all" else FIRST,)

    def load(self) -> Documents:
        """Return the messages in the order of their paths, with their days; the owner is the mailbox, or ``spam``."""
        documents = remembered(f"{self.part_name()}-dated-{self.key}", self._parse)
        return replace(documents, labels=tuple("spam" if owner == "spam" else "ham" for owner in documents.owners))

    def _parse(self) -> Documents:
        texts, owners, dates = [], [], []
        for path, content in sorted(self._files()):
            kind = path.split("/")[1:2]
            if kind not in (["ham"], ["spam"]) or (self.label != "both" and kind != [self.label]):
                continue
            _, day, mailbox, *_ = path.rpartition("/")[2].split(".")
            subject, _, body = content.decode("latin-1").partition("\n")
            text = f"{emails.subject_of(subject.removeprefix('Subject:').strip())}\n{emails.clean(body)}".strip()
            if text:
                texts.append(text)
                owners.append(PEOPLE.get(mailbox, mailbox) if kind == ["ham"] else "spam")
                dates.append(day)
        return self.chosen(Documents(tuple(texts), tuple(owners), dates=tuple(dates)))

    def _files(self) -> Iterator[tuple[str, bytes]]:
        if self.parts == "all":
            yield from read(ALL).items()
            return
        for name, content in read(FIRST).items():
            yield from members(f"{FIRST.name}/{name}", content)
