"""Files that stand among the attacks, or folders among the games, for the time of a test."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

import core.attacks
from core import registry

Install = Callable[[str, str], None]
"""Puts a file with a name, such as ``game/contract``, and a source among the attacks or games."""


@contextmanager
def attack_files(folder: Path, package: ModuleType = core.attacks) -> Iterator[Install]:
    """Let what is put into a new folder be parts of a package, attacks unless given; take it out again afterwards."""
    folder.mkdir()
    before = set(sys.modules)

    def install(name: str, source: str) -> None:
        file = folder / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(source.lstrip(), "utf-8")
        _forget()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "__path__", [*package.__path__, str(folder)])
        patch.setattr(sys, "dont_write_bytecode", True)
        yield install
    _forget()
    new = {name for name in sys.modules if name.startswith(f"{package.__name__}.")} - before
    for name in sorted(new, reverse=True):  # what a folder holds goes before the folder
        if str(folder) in str(sys.modules[name].__file__):
            parent, _, last = name.rpartition(".")
            delattr(sys.modules[parent], last)
            del sys.modules[name]


def _forget() -> None:
    """Have the registry look for files again."""
    registry.modules.cache_clear()
    registry.part.cache_clear()
