"""A piece of a source as word ids of a vocabulary of its own, written to one file."""

import io
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.corpora.source import LONGEST, Piece
from core.runtime.folders import write_whole
from core.text.corpus import words_of

PASSED_OVER = ("too_long", "no_text", "without_words")
"""Why a document is passed over: too many characters; NUL characters; no word."""

_LETTERS = bytes(code | 32 if chr(code).isalpha() and code < 128 else 32 for code in range(256))
"""Lower-case letters of ASCII for letters, and a space for all else."""


@dataclass(frozen=True)
class Shard:
    """The tokenised documents of a piece.

    Attributes:
        tokens: (n,) int32, indices into the words.
        lengths: (documents,) int32, words of each document.
        words: The words as UTF-8, separated by spaces.
        counts: (words,) int64, how often each occurs.
        owners: (documents,) int32, indices into the names; empty without owners.
        names: The owners as UTF-8, separated by NUL characters, which stand in no name.
        passed_over: (3,) documents passed over, for each of the reasons in `PASSED_OVER`.
    """

    tokens: NDArray[np.int32]
    lengths: NDArray[np.int32]
    words: NDArray[np.uint8]
    counts: NDArray[np.int64]
    owners: NDArray[np.int32]
    names: NDArray[np.uint8]
    passed_over: NDArray[np.int64]

    @classmethod
    def of(cls, piece: Piece) -> "Shard":
        """Tokenise a piece; every document has the tokens that `core.text.corpus.words_of` gives."""
        import pyarrow as pa
        import pyarrow.compute as pc

        plain, reasons = _plain(piece.texts.to_pylist())
        parts = pc.ascii_split_whitespace(pa.array(plain, pa.large_binary()).cast(pa.large_string()))
        ids = parts.flatten().dictionary_encode()
        tokens, words = ids.indices.to_numpy(), ids.dictionary.to_pylist()
        is_word = np.array([bool(word) for word in words], np.bool_)  # splitting leaves empty words at both ends
        here = is_word[tokens] if len(words) else np.empty(0, np.bool_)
        before = np.concatenate([[0], np.cumsum(here, dtype=np.int64)])
        lengths = np.diff(before[parts.offsets.to_numpy()])
        tokens = (np.cumsum(is_word) - 1).astype(np.int32)[tokens[here]]
        kept = lengths > 0
        reasons[~kept & (reasons < 0)] = PASSED_OVER.index("without_words")
        owners, names = _owners(piece.owners, kept)
        return cls(
            tokens=tokens,
            lengths=lengths[kept].astype(np.int32),
            words=_bytes(" ".join(word for word in words if word)),
            counts=np.bincount(tokens, minlength=int(is_word.sum())),
            owners=owners,
            names=_bytes("\0".join(names)),
            passed_over=np.bincount(reasons[~kept], minlength=len(PASSED_OVER)),
        )

    def listed_words(self) -> list[str]:
        """Return the words."""
        return _listed(self.words)

    def listed_names(self) -> list[str]:
        """Return the names of the owners."""
        return _text(self.names).split("\0") if len(self.owners) else []

    def save(self, path: Path) -> None:
        """Write the shard; the file is whole or absent."""
        content = io.BytesIO()
        np.savez(content, **vars(self))
        write_whole(path, content.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Shard | None":
        """Return the shard of a file; None where there is none, or it fails the checksums of its parts."""
        parts = _read(path, [part.name for part in fields(cls)])
        return None if parts is None else cls(*parts)

    @staticmethod
    def load_vocabulary(path: Path) -> tuple[list[str], NDArray[np.int64]] | None:
        """Return the words of a shard and their counts without its documents; None as for `load`."""
        parts = _read(path, ["words", "counts"])
        return None if parts is None else (_listed(parts[0]), parts[1])


def tokenise(piece: Piece, folder: Path) -> None:
    """Write the shard of a piece into a folder."""
    Shard.of(piece).save(place(folder, piece.number))


def place(folder: Path, number: int) -> Path:
    """Return the path of a shard by its number."""
    return folder / f"{number:07}.npz"


def _plain(texts: list[str]) -> tuple[list[bytes], NDArray[np.int64]]:
    """Return the words of texts, separated by white space, and (texts,) why one is passed over; -1 where it is not."""
    plain, reasons = [], np.full(len(texts), -1, np.int64)
    for number, text in enumerate(texts):
        if len(text) > LONGEST or "\0" in text:
            reasons[number] = PASSED_OVER.index("too_long" if len(text) > LONGEST else "no_text")
            plain.append(b"")
        elif text.isascii():
            plain.append(text.encode().translate(_LETTERS))
        else:
            plain.append(" ".join(words_of(text)).encode())
    return plain, reasons


def _owners(owners: Any, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int32], list[str]]:
    if owners is None:
        return np.empty(0, np.int32), []
    encoded = owners.filter(kept).dictionary_encode()
    return encoded.indices.to_numpy(), [name.replace("\0", " ") for name in encoded.dictionary.to_pylist()]


def _read(path: Path, names: list[str]) -> list[NDArray[Any]] | None:
    """Return parts of a shard's file; None where one is missing or fails its checksum."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return [arrays[name] for name in names]
    except (OSError, ValueError, TypeError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile):
        return None


def _listed(words: NDArray[np.uint8]) -> list[str]:
    return _text(words).split(" ") if len(words) else []


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _text(content: NDArray[np.uint8]) -> str:
    return content.tobytes().decode()
