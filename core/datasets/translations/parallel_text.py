"""The user's own sentences and their translations: a table that stays where it is."""

from pathlib import Path
from typing import Any, ClassVar

from core.datasets import LONGEST, Card, Dataset
from core.errors import InvalidDocuments, suggestion
from core.sources import user_files
from core.spec import parameter, path_parameter
from core.text.bitext import ROLES, Bitext, Role, Subcorpus, prepared

FEWEST = 20
"""Pairs without which no experiment makes sense."""
MOST = 200_000
"""Pairs that may be read."""
MOST_SUBCORPORA = 20
LONGEST_NAME = 60
"""Characters that the name of a subcorpus may have."""

_ONLY_SUBCORPUS = "own"


class ParallelText(Dataset):
    """Sentences and their translations of your own, read from this machine and copied nowhere.

    A ``.tsv`` or ``.csv`` file (separated by tab, comma or semicolon) with names in the first row gives one pair a row:
    the sentence in the column ``source``, its translation in ``target``. A column ``subcorpus`` may say where a pair is
    from, and a column ``role`` who has pairs of that subcorpus: ``shared`` (trainer and adversary, also where the role
    is empty), ``private`` (the trainer alone) or ``foreign`` (no translator is trained on it). Texts are UTF-8, or else
    read as Windows-1252. Pairs are prepared as all others are (`core.text.bitext.prepared`). There must be 20 to
    200,000, of at most 20 subcorpora, in a file of at most 200 MB.
    """

    title: ClassVar[str] = "Your own translations"
    card: ClassVar[Card] = Card.own("A TSV or CSV file of your own, with sentences and their translations.")
    holds: ClassVar[type] = Bitext

    source: str = path_parameter(
        "",
        "Path of a .tsv or .csv file with the columns source and target, on the machine that runs Telltale.",
    )
    longest: int = parameter(
        LONGEST, "Pairs with more words and marks than this on a side are left out.", unit="words", ge=3, le=200
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields and the content of the file as it is now, wherever it lies."""
        return user_files.by_content(super().identity(), lambda: user_files.content_of([self._path()]))

    def load(self) -> Bitext:
        """Return the pairs by subcorpus, in the order of the rows.

        Raises:
            InvalidDocuments: The file cannot be read as sentences and translations; the message says why.
        """
        return self.read()[0]

    def read(self) -> tuple[Bitext, int]:
        """Return the pairs by subcorpus, in the order of the rows, and the number of all rows.

        Raises:
            InvalidDocuments: As for `load`.
        """
        path = self._path()
        columns = user_files.table(path, ("source", "target"), ("subcorpus", "role"), most=MOST)
        rows = len(columns["source"])
        corpora: dict[str, Subcorpus] = {}
        pairs: dict[Subcorpus, list[tuple[str, str]]] = {}
        names, roles = columns.get("subcorpus", [_ONLY_SUBCORPUS] * rows), columns.get("role", [""] * rows)
        for number, (source, target, name, role) in enumerate(
            zip(columns["source"], columns["target"], names, roles, strict=True), 1
        ):
            subcorpus = Subcorpus(*_name(name, number, path.name), _role(role, number, path.name))
            if corpora.setdefault(subcorpus.name, subcorpus) != subcorpus:
                raise InvalidDocuments(
                    f"Pair {number} of {path.name} says that {subcorpus.name!r} is {subcorpus.role}. Another says that "
                    f"it is {corpora[subcorpus.name].role}; a subcorpus has one role."
                )
            pairs.setdefault(subcorpus, []).append((source, target))
        if len(pairs) > MOST_SUBCORPORA:
            raise InvalidDocuments(f"{path.name} has {len(pairs):,} subcorpora. There may be {MOST_SUBCORPORA}.")
        bitext = prepared(pairs, self.longest)
        if len(bitext) < FEWEST:
            raise InvalidDocuments(
                f"{path.name} holds {len(bitext)} different pairs of at most {self.longest} words a side, of {rows:,} "
                f"rows. At least {FEWEST} are needed."
            )
        return bitext, rows

    def _path(self) -> Path:
        if not self.source.strip():
            raise InvalidDocuments("No translations are given. Set 'source' to a .tsv or .csv file.")
        path = user_files.located(self.source)
        if not path.is_file() or path.suffix.lower() not in (".csv", ".tsv"):
            raise InvalidDocuments(f"{path.name} is no .tsv or .csv file.")
        user_files.check_size(path.name, user_files.size_of(path))
        return path


def _name(text: str, number: int, file: str) -> tuple[str, str]:
    """Return the name and the title of a subcorpus."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InvalidDocuments(
            f"The subcorpus of pair {number} of {file} must be a name of 1 to {LONGEST_NAME} characters. "
            f"It is {text[: 2 * LONGEST_NAME]!r}."
        )
    return name, name


def _role(text: str, number: int, file: str) -> Role:
    role = text.strip().lower() or "shared"
    for known in ROLES:
        if role == known:
            return known
    raise InvalidDocuments(
        f"The role of pair {number} of {file} must be one of {', '.join(ROLES)}. It is {text[:LONGEST_NAME]!r}."
        f"{suggestion(role, ROLES)}"
    )
