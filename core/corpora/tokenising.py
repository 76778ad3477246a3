"""A piece of a source as word ids of a vocabulary of its own, written to one file."""

import hashlib
import io
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

_DIGEST_BYTES = 32
_SMALLEST = (np.uint16, np.int32)
"""Types of word ids in a file; the first that holds them takes the least room."""


@dataclass(frozen=True)
class Shard:
    """The tokenised documents of a piece.

    Attributes:
        tokens: (n,) indices into the words, of 16 bits where that is enough, else of 32.
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
        import pyarrow.compute as pc

        plain, reasons = _plain(piece.texts)
        parts = pc.ascii_split_whitespace(plain)
        ids = parts.flatten().dictionary_encode()
        tokens, words = ids.indices.to_numpy(), ids.dictionary.to_pylist()
        is_word = np.array([bool(word) for word in words], np.bool_)  # splitting leaves empty words at both ends
        in_word = is_word[tokens] if len(words) else np.empty(0, np.bool_)
        before = np.concatenate([[0], np.cumsum(in_word, dtype=np.int64)])
        lengths = np.diff(before[parts.offsets.to_numpy()])
        kind = next(kind for kind in _SMALLEST if len(words) <= np.iinfo(kind).max)
        tokens = (np.cumsum(is_word) - 1).astype(kind)[tokens[in_word]]
        has_words = lengths > 0
        reasons[~has_words & (reasons < 0)] = PASSED_OVER.index("without_words")
        owners, names = _owners(piece.owners, has_words)
        return cls(
            tokens=tokens,
            lengths=lengths[has_words].astype(np.int32),
            words=_bytes(" ".join(word for word in words if word)),
            counts=np.bincount(tokens, minlength=int(is_word.sum())),
            owners=owners,
            names=_bytes("\0".join(names)),
            passed_over=np.bincount(reasons[~has_words], minlength=len(PASSED_OVER)),
        )

    def listed_words(self) -> list[str]:
        """Return the words."""
        return _listed(self.words)

    def listed_names(self) -> list[str]:
        """Return the names of the owners."""
        return _text(self.names).split("\0") if len(self.owners) else []

    def save(self, path: Path) -> None:
        """Write the shard and its SHA-256; the file is whole or absent."""
        content = io.BytesIO()
        content.write(bytes(_DIGEST_BYTES))
        for part in vars(self).values():
            np.save(content, part, allow_pickle=False)
        with content.getbuffer() as buffer:
            buffer[:_DIGEST_BYTES] = hashlib.sha256(buffer[_DIGEST_BYTES:]).digest()
            write_whole(path, buffer)

    @classmethod
    def load(cls, path: Path) -> "Shard | None":
        """Return the shard of a file; None where there is none, or it is not what was written."""
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(memoryview(content)[_DIGEST_BYTES:]).digest() != content[:_DIGEST_BYTES]:
            return None
        stream = io.BytesIO(content)
        stream.seek(_DIGEST_BYTES)
        return cls(*(np.load(stream, allow_pickle=False) for _ in fields(cls)))


def tokenise(piece: Piece, folder: Path) -> None:
    """Write the shard of a piece into a folder."""
    Shard.of(piece).save(shard_path(folder, piece.number))


def shard_path(folder: Path, number: int) -> Path:
    """Return the path of a shard by its number."""
    return folder / f"{number:07}.shard"


def _plain(texts: Any) -> tuple[Any, NDArray[np.int64]]:
    """Return the words of texts, separated by white space, and (texts,) why one is passed over; -1 where it is not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    reasons = np.full(len(texts), -1, np.int64)
    plain = _letters(texts)
    slow = pc.or_(pc.invert(pc.string_is_ascii(texts)), pc.greater(pc.binary_length(texts), LONGEST))
    slow = pc.or_(slow, pc.match_substring(texts, "\0"))
    if rows := np.flatnonzero(slow).tolist():
        written = []
        for row, text in zip(rows, texts.filter(slow).to_pylist(), strict=True):
            if len(text) > LONGEST or "\0" in text:
                reasons[row] = PASSED_OVER.index("too_long" if len(text) > LONGEST else "no_text")
                written.append("")
            else:
                written.append(" ".join(words_of(text)))
        plain = pc.replace_with_mask(plain, slow, pa.array(written, pa.large_string()))
    return plain, reasons


def _letters(texts: Any) -> Any:
    """Return texts in lower case, each byte that is no letter of ASCII as a space; all are translated in one call."""
    import pyarrow as pa

    _, offset_buffer, content = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    letters = b"" if content is None else content[offsets[0] : offsets[-1]].to_pybytes()
    offset_buffer = pa.py_buffer((offsets - offsets[0]).data)
    return pa.LargeStringArray.from_buffers(len(texts), offset_buffer, pa.py_buffer(letters.translate(_LETTERS)))


def _owners(owners: Any, has_words: NDArray[np.bool_]) -> tuple[NDArray[np.int32], list[str]]:
    if owners is None:
        return np.empty(0, np.int32), []
    encoded = owners.filter(has_words).dictionary_encode()
    return encoded.indices.to_numpy(), [name.replace("\0", " ") for name in encoded.dictionary.to_pylist()]


def _listed(words: NDArray[np.uint8]) -> list[str]:
    return _text(words).split(" ") if len(words) else []


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _text(content: NDArray[np.uint8]) -> str:
    return content.tobytes().decode()
