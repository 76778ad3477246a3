"""Files that stand among the attacks for the time of a test."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import core.attacks
from core import registry

Install = Callable[[str, str], None]
"""Puts a file with a name and a source among the attacks."""


@contextmanager
def attack_files(folder: Path) -> Iterator[Install]:
    """Let the files of a new folder be attacks; take them out again afterwards."""
    folder.mkdir()
    before = set(sys.modules)

    def install(name: str, source: str) -> None:
        (folder / f"{name}.py").write_text(source.lstrip(), "utf-8")
        _forget()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.attacks, "__path__", [*core.attacks.__path__, str(folder)])
        patch.setattr(sys, "dont_write_bytecode", True)
        yield install
    _forget()
    for name in {name for name in sys.modules if name.startswith("core.attacks.")} - before:
        if str(folder) in str(sys.modules[name].__file__):
            delattr(core.attacks, name.rpartition(".")[2])
            del sys.modules[name]


def _forget() -> None:
    """Have the registry look for files again."""
    registry.modules.cache_clear()
    registry.part.cache_clear()
