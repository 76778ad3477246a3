"""A user's trained word vectors: each file format is one module in `formats`; nothing is ever unpickled."""

import pkgutil
from collections.abc import Container
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from core.errors import InvalidVectors, offered
from core.sources import user_files
from core.sources.word_vectors import formats
from core.sources.word_vectors.trained import TrainedVectors

_HEAD = 262_144
"""Bytes by which a format is recognised: more than any first row of text takes."""


class Format(Protocol):
    """What each module in `formats` offers."""

    NAME: str
    """What it is called in messages."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Tell whether a file has this format, from its first bytes and, where these say nothing, its name."""

    def read(self, path: Path, wanted: Container[str] | None, words: Path | None) -> TrainedVectors:
        """Return the vectors of the words wanted.

        Raises:
            InvalidVectors: The file is not what it says.
        """


@cache
def known() -> tuple[Format, ...]:
    """Return all formats, in the order of their modules' names."""
    names = sorted(module.name for module in pkgutil.iter_modules(formats.__path__))
    return tuple(cast(Format, import_module(f"{formats.__name__}.{name}")) for name in names)


def read(path: Path, wanted: Container[str] | None = None, words: Path | None = None) -> TrainedVectors:
    """Return the vectors of a trained model of words.

    Args:
        path: The file.
        wanted: Words whose vectors are kept; None for all. A file may be larger than memory if these are few.
        words: List of words, one a line, for a file that holds the matrix alone.

    Raises:
        InvalidVectors: No format fits, the file is damaged, or it holds a pickle.
    """
    if not path.is_file():
        raise InvalidVectors(f"{path.name} is no file. Name the file that holds the vectors.")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        user_files.refuse_empty(path.name, len(head))
        for known_format in known():
            if known_format.recognises(path, head):
                return known_format.read(path, wanted, words)
    except OSError as error:
        raise InvalidVectors(f"{path.name} cannot be read: {error.strerror or error}.") from None
    names = [known_format.NAME for known_format in known() if known_format.NAME]
    raise InvalidVectors(f"{path.name} is in no format of word vectors that is known here. {offered(names)}")
