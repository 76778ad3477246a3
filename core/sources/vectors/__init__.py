"""A user's stored vectors: each file format, and the folder of each engine, is one module in `formats`."""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from core.errors import InvalidVectors, offered
from core.sources.vectors import formats
from core.sources.vectors.stored import Columns, Stored


class Format(Protocol):
    """What each module in `formats` offers."""

    NAME: str
    """What it is called in messages."""

    def recognises(self, path: Path) -> bool:
        """Tell whether a file or folder has this format, from its name or its first bytes."""

    def opened(self, path: Path, columns: Columns) -> Stored:
        """Return the vectors, unread.

        Raises:
            InvalidVectors: They cannot be read.
        """


@cache
def known() -> tuple[Format, ...]:
    """Return all formats, in the order of their modules' names."""
    names = sorted(module.name for module in pkgutil.iter_modules(formats.__path__))
    return tuple(cast(Format, import_module(f"{formats.__name__}.{name}")) for name in names)


def opened(path: Path, columns: Columns) -> Stored:
    """Return the vectors of a file or folder, unread.

    Raises:
        InvalidVectors: No format fits, or the file is not what it says.
    """
    for known_format in known():
        if known_format.recognises(path):
            stored = known_format.opened(path, columns)
            if stored.count == 0:
                raise InvalidVectors(f"{path.name} holds no {'texts' if columns.vector is None else 'vectors'}.")
            return stored
    names = [known_format.NAME for known_format in known()]
    raise InvalidVectors(f"{path.name} is in no format that is known here. {offered(names)}")
