"""Medical transcriptions: a description of each in a sentence or two, and its department."""

from typing import ClassVar

from core.datasets import Card, Dataset
from core.sources import Source, on_github, read
from core.sources.tables import labelled, rows_of
from core.text.contents import Documents

DESCRIPTIONS = on_github(
    "mtsamples",
    "pskr0/MajorProject@a5d80b135cc8ae24827f5afedd7f0d58078a584f",
    "26774fbeb806e8b3e71fa00250379abf250165e64c9db9f0c35da2539d532628 745_448 mtsamples_full.csv",
)

DEPARTMENTS = (
    "Surgery",
    "Radiology",
    "Urology",
    "General Medicine",
    "Pain Management",
    "Orthopedic",
    "Neurology",
    "Cardiovascular / Pulmonary",
    "Pediatrics - Neonatal",
    "Psychiatry / Psychology",
)
"""The ten specialties with the most descriptions, except kinds of documents (progress and office notes)."""


class Mtsamples(Dataset):
    """Short descriptions of medical transcriptions.

    The class is the department, one of ten; descriptions of other specialties have the empty class. Descriptions that
    differ only in case or in the final full stop count once.

    Use: in place of the procedure records of Pan et al. 2020, section VI-C (case study Medical), which are catalogue
    entries, not sentences of doctors.
    """

    title: ClassVar[str] = "Medical transcriptions"
    pinned: ClassVar[tuple[Source, ...]] = (DESCRIPTIONS,)
    card: ClassVar[Card] = Card(
        summary="1,815 short descriptions of medical transcriptions in 34 specialties, of which ten are classes.",
        licence="CC0-1.0 (as marked on its public upload)",
        citation="MTSamples: Transcribed Medical Transcription Sample Reports and Examples (mtsamples.com).",
        homepage="https://mtsamples.com",
    )
    keywords = ("chest", "heart", "abdominal", "knee", "back", "foot", "eye", "neck", "bladder", "shoulder")

    def load(self) -> Documents:
        """Return the descriptions in the order of the table."""
        (content,) = read(DESCRIPTIONS).values()
        rows = rows_of(DESCRIPTIONS.name, content, ("description", "medical_specialty"))
        pairs = ((text, specialty.strip()) for text, specialty in rows)
        return labelled(
            DESCRIPTIONS.name, ((text, specialty if specialty in DEPARTMENTS else "") for text, specialty in pairs)
        )
