"""Procedures that American physicians bill, in up to 28 characters, by type of provider."""

from collections import Counter, defaultdict
from typing import ClassVar

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.sources.tables import labelled, rows_of
from core.text.contents import Documents

RECORDS = on_github(
    "cms_procedures",
    "bensonnn/Medicare-Provider-Utilization-and-Payment-Data@c01cf15a54aa5d16e078a5a3a5bf57619c1467ba",
    "cc00f226295cc3571b1e07683796dd636500aef889730377d3332c260415253c 3_315_579 db/data.txt",
)

DEPARTMENTS = 10
"""Number of provider types that are classes."""


class CmsProcedures(Dataset):
    """Distinct descriptions of medical procedures, as bills abbreviate them.

    The class is the most frequent provider type of a description's records (on a tie, the first in the table), if it is
    among the ten most frequent classes; else it is empty. Records name physicians: only description and provider type
    are read.

    Source: Centers for Medicare and Medicaid Services, Physician and Other Supplier file. Use: Pan et al. 2020, section
    VI-C and appendix A-2 (case study Medical), where a later year gives 120,000 descriptions in 10 departments, one
    a record; here each description counts once.
    """

    title: ClassVar[str] = "Medical procedures"
    pinned: ClassVar[tuple[Source, ...]] = (RECORDS,)
    card: ClassVar[Card] = Card(
        summary="1,203 distinct descriptions of procedures in some of the bills of American physicians of 2012.",
        licence="U.S. Government public-use data; the descriptors of CPT codes are (c) American Medical Association",
        citation=(
            "Centers for Medicare and Medicaid Services (2014). Medicare Provider Utilization and Payment Data: "
            "Physician and Other Supplier, calendar year 2012."
        ),
        homepage="https://github.com/bensonnn/Medicare-Provider-Utilization-and-Payment-Data",
    )
    keywords = ("spine", "skin", "bone", "neck", "eye", "artery", "abdomen", "leg", "bladder", "heart")

    def load(self) -> Documents:
        """Return the descriptions in the order of the table."""
        (content,) = read(RECORDS).values()
        types: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for description, provider in rows_of(RECORDS.name, content, ("hcpcs_description", "provider_type"), "\t"):
            types[description][provider] += 1
        labels = {description: counts.most_common(1)[0][0] for description, counts in types.items()}
        departments = {provider for provider, _ in Counter(labels.values()).most_common(DEPARTMENTS)}
        return labelled(
            RECORDS.name,
            ((description, label if label in departments else "") for description, label in labels.items()),
        )
