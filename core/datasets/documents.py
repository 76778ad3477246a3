"""The user's own documents: a folder of text files, or tables, which stay where they are."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from core.corpora import columns, sampling
from core.corpora.documents import LargeDocuments
from core.corpora.read_documents import ReadDocuments
from core.corpora.source import ENDINGS, LONGEST, Source
from core.datasets import Card, Repetitive
from core.errors import InvalidDocuments, TooManyDocuments
from core.runtime.seeding import generator
from core.sources import parquet, user_files
from core.spec import parameter, path_parameter
from core.statistics.wording.naming import counted
from core.text.contents import Documents as Loaded
from core.text.corpus import words_of

FEWEST = 20
"""Minimum number of documents."""
_COUNTED = 5_000
"""Documents among which near copies are counted unasked: of many that are alike, each is compared with each."""
MOST = 200_000
"""Documents that are read into memory; more stay on disk, as word ids."""

_BY_WORDS = (
    "Only attacks on word embeddings go beyond that, without classes; any other reads a random part: set 'sample', to "
    f"{MOST} for example."
)
_UNUSED_MARKS = (
    "The column {column!r} is not used: an experiment decides itself what its models are trained on. If it says "
    "which rows a model of yours was trained on, 'python -m core audit model MODEL --documents FILE' attacks "
    "that model by it."
)
_CLASSES = "With classes all must fit: take a part of the file, or leave 'label_column' out."
_COPIES = (
    "Only of documents in memory are near copies left out: set 'sample', to "
    f"{MOST} for example, or 'near_copies' to 'kept'."
)


class Documents(Repetitive):
    """Documents of your own, read from this machine and copied nowhere.

    A folder gives one document for each ``.txt`` file in it or below it; where there are sub-folders, the owner is the
    name of the folder that holds the file. A ``.csv`` or ``.tsv`` file (separated by comma, semicolon or tab, names in
    the first row), a ``.parquet`` file and a ``.jsonl`` file (one object a line) give one document a row, whose owner
    and class other columns may say; ``.csv``, ``.tsv`` and ``.jsonl`` may be compressed (``.gz``), and a folder may
    hold tables of these kinds. Texts are UTF-8; a ``.csv``, ``.tsv`` or ``.txt`` file may also be Windows-1252, as old
    e-mail is. Documents without a word, or of more than 131,072 characters, are passed over; 20 must be left.

    Up to 200,000 documents in files of at most 200 MB together are read into memory. More are tokenised once and stay
    on disk (`core.corpora`), for attacks on word embeddings; classes are not read, and tables must be UTF-8. With
    ``sample``, a random part of any number of them is read into memory: each with the same probability, as a seed has
    it, in the order of the files.
    """

    title: ClassVar[str] = "Your own documents"
    card: ClassVar[Card] = Card.own("A folder of text files, or tables of your own: CSV, JSON lines or Parquet.")

    source: str = path_parameter(
        "",
        "Path of a folder of .txt files, or of a .csv, .tsv, .jsonl or .parquet file, where Telltale runs.",
    )
    text_column: str = parameter("text", "Column that holds the texts (CSV, JSON lines and Parquet).", max_length=200)
    owner_column: str = parameter(
        "",
        "Column that says whose each text is (CSV, JSON lines and Parquet); empty when there is none.",
        max_length=200,
    )
    label_column: str = parameter(
        "",
        "Column with the class of each text, spam for example (CSV and Parquet); empty when there is none.",
        max_length=200,
    )

    sample: int = parameter(
        0,
        "Most documents that are read, drawn at random from all; 0 to read all.",
        unit="documents",
        ge=0,
        le=MOST,
        advanced=True,
        implied=0,
    )
    sample_seed: int = parameter(0, "Seed of that draw.", ge=0, le=2**31 - 1, advanced=True)

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the columns, and the content of the files as it is now, wherever they lie."""
        fields = super().identity()
        if not self.sample:
            del fields["sample_seed"]
        return user_files.by_content(fields, self._content)

    def load(self) -> Loaded:
        """Return the documents in the order of their paths or rows.

        Raises:
            InvalidDocuments: The source cannot be read as documents; the message says why and what would do.
        """
        try:
            return self.read().documents
        except TooManyDocuments as refusal:
            if self._must_fit:
                raise TooManyDocuments(f"{refusal} {self._must_fit}") from None
            return LargeDocuments(self._source(), f"{refusal} {_BY_WORDS}")

    def names_owners(self) -> bool:
        """Tell whether the files say whose the documents are.

        Raises:
            InvalidDocuments: The source cannot be read as documents.
        """
        if self.owner_column:
            return True
        source = self._source()
        return source.is_nested() and source.files()[0].suffix.lower() == ".txt"

    def summary(self) -> str:
        """Return how many documents, owners and classes are read of how many rows or files, and which marks are not.

        Near copies are counted, too, where they are kept, and what leaves them out is said.

        Raises:
            InvalidDocuments: As for `load`.
        """
        text, copies = self.overview()
        return f"{text} 'near_copies' set to 'left out' leaves near copies out." if copies else text

    def overview(self) -> tuple[str, int]:
        """Return the summary, and how many near copies of a longer document are kept that could be left out.

        Raises:
            InvalidDocuments: As for `load`.
        """
        copies = 0
        try:
            read = self.read()
            copies, told = self._copies_kept(read.documents)
            text = f"{read.summary()}{told}"
        except TooManyDocuments:
            if self._must_fit:
                raise
            text = f"More than {MOST:,} documents or 200 MB. They stay on disk, for attacks on word embeddings."
        marks = columns.marking(columns.of(self._path()))
        if marks and marks not in self._roles:
            text = f"{text} {_UNUSED_MARKS.format(column=marks)}"
        return text, copies

    def read(self) -> ReadDocuments:
        """Return the documents in the order of their paths or rows, and what was passed over.

        Raises:
            TooManyDocuments: There are more than are read into memory.
            InvalidDocuments: As for `load`.
        """
        source = self._source()
        with columns.named_by(dict(zip(columns.FIELDS, self._roles, strict=True))):
            loaded, total = self._sampled(source) if self.sample else (self._in_memory(source), 0)
        checked = _checked(replace(loaded, likely_owners=self._likely_owners()), source.path.name)
        chosen = self.chosen(checked.documents)
        if len(chosen) < FEWEST:
            raise InvalidDocuments(
                f"{source.path.name} holds {len(chosen)} documents that are no near copies of a longer one. "
                f"At least {FEWEST} are needed: set 'near_copies' to 'kept'."
            )
        copies = len(checked.documents) - len(chosen)
        checked = replace(checked, documents=chosen, copies=copies, unit="file" if source.path.is_dir() else "row")
        if total <= len(loaded):
            return checked
        return replace(checked, total=total, drawn=len(loaded), seed=self.sample_seed)

    def _sampled(self, source: Source) -> tuple[Loaded, int]:
        """Return documents drawn at random, in their order, and the number of all."""
        rng = generator(self.sample_seed, "sample of documents")
        try:
            loaded = self._in_memory(source)
        except TooManyDocuments as refusal:
            if self.label_column:
                raise TooManyDocuments(f"{refusal} {_CLASSES}") from None
            return sampling.drawn(source, self.sample, rng)
        return loaded.select(sampling.lowest(rng.random(len(loaded)), self.sample).tolist()), len(loaded)

    def _in_memory(self, source: Source) -> Loaded:
        path, files = source.path, source.files()
        if len(files) > MOST:
            raise _too_many(path.name)
        user_files.check_size(path.name, sum(user_files.size_of(file) for file in files))
        ending = files[0].suffix.lower()
        if ending == ".txt":
            return _from_folder(path, files)
        if path.is_dir() or ending in (".gz", ".jsonl"):
            return self._streamed(source)
        if ending == ".parquet":
            table = parquet.columns(path, self._wanted, self.text_column, MOST)
        else:
            table = user_files.table(path, self._wanted, most=MOST)
        texts, owners, labels = (table.get(name, []) for name in self._roles)
        return Loaded(tuple(texts), tuple(owners), tuple(labels))

    def _streamed(self, source: Source) -> Loaded:
        if self.label_column:
            raise InvalidDocuments(
                f"Classes are read from one .csv, .tsv or .parquet file. {source.path.name} is none; "
                "convert it, or leave 'label_column' empty."
            )
        texts: list[str] = []
        owners: list[str] = []
        size = 0
        for piece in source.pieces():
            if len(texts) + len(piece.texts) > MOST:
                raise _too_many(source.path.name)
            user_files.check_size(source.path.name, size := size + piece.texts.nbytes)
            texts += piece.texts.to_pylist()
            owners += [] if piece.owners is None else piece.owners.to_pylist()
        return Loaded(tuple(texts), tuple(owners))

    def _likely_owners(self) -> str:
        """Return the column that probably says whose each text is, where no column of owners is named."""
        column = columns.proposed(columns.of(self._path())).get("owner_column", "")
        return "" if self.owner_column or column in self._roles else column

    def _copies_kept(self, documents: Loaded) -> tuple[int, str]:
        """Return how many near copies of a longer document could be left out, and say how many there are."""
        if self.near_copies == "left out" or len(documents) > _COUNTED:
            return 0, ""
        left = len(self.replace(near_copies="left out").chosen(documents))
        if not (copies := len(documents) - left):
            return 0, ""
        found = f" {counted(copies, 'is a near copy', 'are near copies')} of a longer one, and may hide what leaks"
        if left < FEWEST:
            return 0, f"{found}."
        return copies, f"{found}."

    def _content(self) -> str:
        source = self._source()
        return user_files.content_of(source.files(), owned=source.is_nested())

    def _source(self) -> Source:
        return Source(self._path(), self.text_column, self.owner_column)

    @property
    def _must_fit(self) -> str:
        """Why all documents must fit into memory, and what would do; empty where they need not."""
        if self.label_column:
            return _CLASSES
        return "" if self.near_copies == "kept" else _COPIES

    @property
    def _roles(self) -> tuple[str, str, str]:
        """Names of the columns with texts, owners and classes; empty for none."""
        return self.text_column, self.owner_column, self.label_column

    def _path(self) -> Path:
        if not self.source.strip():
            raise InvalidDocuments(
                "No source of documents is given. Set 'source' to a folder of .txt files, or to a .csv, .jsonl or "
                ".parquet file."
            )
        path = user_files.located(self.source)
        if path.is_file() and not path.name.lower().endswith(ENDINGS):
            raise InvalidDocuments(
                f"{path.name} is neither a folder of .txt files nor a table ({', '.join(ENDINGS)}). "
                f"Its name ends in {path.suffix!r}."
            )
        return path

    @property
    def _wanted(self) -> list[str]:
        """Names of the columns to read, that of the texts first."""
        return list(dict.fromkeys([self.text_column, *filter(None, self._roles)]))


def _from_folder(folder: Path, files: list[Path]) -> Loaded:
    nested = any(file.parent != folder for file in files)
    return Loaded(
        tuple(user_files.decoded(file) for file in files), tuple(file.parent.name for file in files) if nested else ()
    )


def _checked(documents: Loaded, name: str) -> ReadDocuments:
    """Return the documents that have words and are not too long."""
    for number, text in enumerate(documents.texts, 1):
        if "\0" in text:
            raise InvalidDocuments(f"Document {number} of {name} holds a NUL character: it is no text.")
    long = {number for number, text in enumerate(documents.texts) if len(text) > LONGEST}
    readable = [number for number, text in enumerate(documents.texts) if number not in long and words_of(text)]
    if len(readable) < FEWEST:
        count = "1 document" if len(readable) == 1 else f"{len(readable)} documents"
        longer = f" of at most {LONGEST:,} characters" if long else ""
        raise InvalidDocuments(f"{name} holds {count} with words{longer}. At least {FEWEST} are needed.")
    if len(readable) > MOST:
        raise _too_many(name)
    return ReadDocuments(documents.select(readable), len(documents), len(long))


def _too_many(name: str) -> TooManyDocuments:
    return TooManyDocuments(f"{name} holds more than {MOST:,} documents. Take a part of it.")
