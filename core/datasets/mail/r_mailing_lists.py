"""The mailing lists of the R project: public messages of statisticians and programmers, 1997 to 2026."""

from typing import ClassVar, Literal

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.sources.parsed import remembered
from core.spec import parameter
from core.text import emails
from core.text.contents import Documents
from core.text.corpus import words_of

LISTS = on_github(
    "r_mailing_lists",
    "r-mailing-lists/data@95bebefea52272ad51c84b206b9c483970ffee61",
    "data/messages/",
    """
    3308a70ee9d3ef3b14c275fb7316430abbd8fc8f0b6f27426af727c722480581 794_307 r-announce.parquet
    48937f0e2c9c4fe958540892fb5a5a394ceb02463d64842d10f2ef1dde77cf25 1_932_510 r-help-1995-1999.parquet
    91c0788da89de69e5ed0d31e6785839aa42e4c108d03dfc91964e9623cec9b1d 1_084_671 r-help-2025-2029.parquet
    d0fb5bf258b9c98c7531e1505088a8d43357a6585400229eb2de1890691b026b 727_572 r-packages.parquet
    9d6f9cc169288c3637c55e7a7038f35a7ed24ab53a95739deb73145dafd5bb60 979_125 r-sig-db.parquet
    188a814f2f1fbb20d94253aa33434b3f3e79fdccbe03a4db520d55a60ba1c86f 2_216_947 r-sig-debian.parquet
    ca205ef9adf9af49d1a18d9ef55ec3036f8433006d39e7d64a639c8926ec63f0 498_793 r-sig-fedora.parquet
    b023847c064c984a24cbe5e4de6f25c76c38e64145e895178947ae9880b63230 752_798 r-sig-gui.parquet
    2bddc6efe85544a6c67e5c4f100e6af70b55bb2af5c208a0f36401a790e557f7 1_344_093 r-sig-hpc.parquet
    dada08ffc7ce61dd677fbb08f51b41d4ee3ed8af17af87c5417bf0fbcd77a420 503_807 r-sig-teaching.parquet
    """,
)

_EARLY, _LATE = "2001", "2015"
"""A quarter of the messages is from before the earlier year, and a quarter from the later one on."""


class RMailingLists(Dataset):
    """Messages to ten mailing lists of the R project.

    The text is the subject, without ``re:`` and list tags, then the body after `core.text.emails.clean`. Names of
    senders are never read; the owner is the publisher's hash of the address. Messages with fewer than
    `core.text.emails.FEWEST_WORDS` words and exact repetitions (a message to two lists) are left out.
    """

    title: ClassVar[str] = "R mailing lists"
    pinned: ClassVar[tuple[Source, ...]] = (LISTS,)
    card: ClassVar[Card] = Card(
        summary="17,797 public messages to ten mailing lists of the R project, 1997 to 2026, by sender.",
        licence="none stated for the content (publicly archived lists)",
        citation="R mailing list archive data, github.com/r-mailing-lists/data, accessed 2026.",
        homepage="https://github.com/r-mailing-lists/data",
    )

    years: Literal["all", "early and late"] = parameter(
        "all",
        "Messages of all years, or those sent before 2001 and from 2015 on: a quarter each.",
        advanced=True,
        implied="all",
    )

    def load(self) -> Documents:
        """Return the messages by list and date, with when they were sent; the owner is the sender's hash."""
        documents = remembered(f"{self.part_name()}-dated-{self.replace(years='all').key}", self._parse)
        if self.years == "all":
            return documents
        return documents.select([row for row, date in enumerate(documents.dates) if not _EARLY <= date < _LATE])

    def _parse(self) -> Documents:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = ["date", "id", "from_email_hash", "subject", "body"]
        messages: dict[tuple[str, ...], tuple[str, str, str]] = {}
        for _, content in sorted(read(LISTS).items()):
            table = pq.ParquetFile(pa.BufferReader(content)).read(columns, use_threads=False)
            rows = zip(*(table.column(name).to_pylist() for name in columns), strict=True)
            for date, _, sender, subject, body in sorted(rows):
                text = f"{emails.subject_of(subject.strip())}\n{emails.clean(body)}".strip()
                words = tuple(words_of(text))
                if len(words) >= emails.FEWEST_WORDS:
                    messages.setdefault(words, (text, sender, date.isoformat(timespec="seconds")))
        texts, owners, dates = zip(*messages.values(), strict=True)
        return Documents(texts, owners, dates=dates)
