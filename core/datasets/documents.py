"""The user's own documents: a folder of text files, a CSV file or a Parquet file, which stay where they are."""

from pathlib import Path
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.errors import InvalidDocuments
from core.sources import own, parquet
from core.spec import parameter
from core.text.contents import Documents as Loaded
from core.text.corpus import words_of

LONGEST = 131_072
"""Characters that one document may have, which is also the limit of Python's CSV reader."""
FEWEST = 20
"""Documents without which no experiment makes sense."""
MOST = 200_000
"""Documents that may be read."""


class Documents(Dataset):
    """Documents of your own, read from this machine and copied nowhere.

    A folder gives one document for each ``.txt`` file in it or below it; where there are sub-folders, the owner is the
    name of the folder that holds the file. A ``.csv`` or ``.tsv`` file (separated by comma, semicolon or tab, names in
    the first row) and a ``.parquet`` file give one document a row, whose owner and class other columns may say. Texts
    are UTF-8, or else read as Windows-1252, as old e-mail is. Documents without a word are passed over. There must be
    20 to 200,000 of them, of at most 131,072 characters each, in files of at most 200 MB together.
    """

    title: ClassVar[str] = "Your own documents"
    card: ClassVar[Card] = Card(
        summary="A folder of text files, a CSV file or a Parquet file of your own.",
        licence="yours",
        citation="none",
        offline=True,
    )

    source: str = parameter(
        "",
        "Path of a folder of .txt files, or of a .csv, .tsv or .parquet file, on the machine that runs Telltale.",
        max_length=4096,
    )
    text_column: str = parameter("text", "Column that holds the texts (CSV and Parquet).", max_length=200)
    owner_column: str = parameter(
        "", "Column that says whose each text is (CSV and Parquet); empty when there is none.", max_length=200
    )
    label_column: str = parameter(
        "",
        "Column with the class of each text, spam for example (CSV and Parquet); empty when there is none.",
        max_length=200,
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields and the content of the files as they are now."""
        try:
            content = own.digest_of(_files(self._path()))
        except InvalidDocuments:
            content = "none"
        return {**super().identity(), "content": content}

    def load(self) -> Loaded:
        """Return the documents in the order of their paths or rows.

        Raises:
            InvalidDocuments: The source cannot be read as documents; the message says why and what would do.
        """
        return self.read()[0]

    def read(self) -> tuple[Loaded, int]:
        """Return the documents in the order of their paths or rows, and the number of all files or rows.

        Raises:
            InvalidDocuments: As for `load`.
        """
        path = self._path()
        every = self._every(path)
        return _checked(every, path.name), len(every)

    def _every(self, path: Path) -> Loaded:
        if path.is_dir():
            return _from_folder(path)
        _files(path)
        if path.suffix.lower() == ".parquet":
            columns = parquet.columns(path, self._wanted, self.text_column, MOST)
        else:
            columns = own.table(path, self._wanted, most=MOST)
        texts, owners, labels = (columns.get(name, []) for name in self._roles)
        return Loaded(tuple(texts), tuple(owners), tuple(labels))

    @property
    def _roles(self) -> tuple[str, str, str]:
        """Names of the columns with texts, owners and classes; empty for none."""
        return self.text_column, self.owner_column, self.label_column

    def _path(self) -> Path:
        if not self.source.strip():
            raise InvalidDocuments(
                "No source of documents is given. Set 'source' to a folder of .txt files, a .csv or a .parquet file."
            )
        path = own.located(self.source)
        if path.is_file() and path.suffix.lower() not in (".csv", ".tsv", ".parquet"):
            raise InvalidDocuments(
                f"{path.name} is neither a folder of .txt files nor a .csv, .tsv or .parquet file. "
                f"Its name ends in {path.suffix!r}."
            )
        return path

    @property
    def _wanted(self) -> list[str]:
        """Names of the columns to read, that of the texts first."""
        return list(dict.fromkeys([self.text_column, *filter(None, self._roles)]))


def _files(path: Path) -> list[Path]:
    """Return the files of a source in a fixed order, links left out.

    Raises:
        InvalidDocuments: There are none, too many, or they are too large.
    """
    try:
        files = sorted(file for file in path.rglob("*.txt") if not file.is_symlink()) if path.is_dir() else [path]
        files = [file for file in files if file.is_file()]
        size = sum(file.stat().st_size for file in files)
    except OSError as error:
        raise InvalidDocuments(f"{path.name} cannot be read: {error.strerror}.") from None
    if not files:
        raise InvalidDocuments(f"The folder {path.name} and those below it hold no .txt file.")
    if len(files) > MOST:
        raise _too_many(path.name)
    own.check_size(path.name, size)
    return files


def _from_folder(folder: Path) -> Loaded:
    files = _files(folder)
    nested = any(file.parent != folder for file in files)
    return Loaded(
        tuple(own.decoded(file) for file in files), tuple(file.parent.name for file in files) if nested else ()
    )


def _checked(documents: Loaded, name: str) -> Loaded:
    """Return the documents that have words.

    Raises:
        InvalidDocuments: They are too few, too many, too long, or hold NUL characters.
    """
    for number, text in enumerate(documents.texts, 1):
        if len(text) > LONGEST:
            raise InvalidDocuments(
                f"Document {number} of {name} has {len(text):,} characters. At most {LONGEST:,} are read; split it."
            )
        if "\0" in text:
            raise InvalidDocuments(f"Document {number} of {name} holds a NUL character: it is no text.")
    kept = [number for number, text in enumerate(documents.texts) if words_of(text)]
    if len(kept) < FEWEST:
        raise InvalidDocuments(f"{name} holds {len(kept)} documents with words. At least {FEWEST} are needed.")
    if len(kept) > MOST:
        raise _too_many(name)
    return documents.select(kept)


def _too_many(name: str) -> InvalidDocuments:
    return InvalidDocuments(f"{name} holds more than {MOST:,} documents. Take a part of it.")
