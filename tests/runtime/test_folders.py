"""A file is written whole or not at all, and a full disk leaves nothing behind."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
import torch
from filelock import FileLock, Timeout

from core.encoders import checkpoints
from core.encoders.folders import digests_of
from core.errors import StoreFull
from core.jobs.forecast import Stage
from core.jobs.timelines import Timelines
from core.runtime.folders import locked, write_whole
from core.runtime.store import Store
from core.sources.parsed import remembered
from core.text.contents import Documents


def arrays(home: Path) -> None:
    with pytest.raises(StoreFull):
        Store(root=home).put_arrays("a" * 16, "0", {"row": np.zeros(1000)})


def stages(home: Path) -> None:
    Timelines(Store(root=home)).keep({"attack": "word_pairs"}, [Stage("Training", 1.0)])


def documents(home: Path) -> None:
    assert remembered("some", lambda: Documents(("a text",), ("ann",))).texts == ("a text",)


def digests(home: Path) -> None:
    folder = home.with_name("encoder")
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(bytes(2**20))
    assert list(digests_of(folder)) == ["model.safetensors"]


def checkpoint(home: Path) -> None:
    model = torch.nn.Linear(2, 2)
    with pytest.raises(StoreFull):
        checkpoints.keep(home / "checkpoint", "x", model, torch.optim.AdamW(model.parameters()), [1.0])


@pytest.mark.parametrize("keep", [arrays, stages, documents, digests, checkpoint])
@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_leaves_nothing_behind(
    keep: Callable[[Path], None], failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    def full(*_: object) -> NoReturn:
        attempts.append(failing)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(*((os, "fsync") if failing == "fsync" else (Path, "replace")), full)
    keep(tmp_path / "home")
    assert attempts, "it was tried"
    assert [path for path in (tmp_path / "home").rglob("*") if path.is_file()] == []


def test_what_was_there_stays_until_the_new_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "file"
    write_whole(path, b"before")

    def interrupted(_: int) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, "fsync", interrupted)
        write_whole(path, b"after")
    assert [file.read_bytes() for file in path.parent.iterdir()] == [b"before"]
    write_whole(path, b"after", tmp_path / "beside")
    assert [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()] == [b"after"]


def test_a_lock_holds_for_its_folder_alone(tmp_path: Path) -> None:
    with locked("uploads", tmp_path / "one"), locked("uploads", tmp_path / "two"):
        for name in ("one", "two"):
            with pytest.raises(Timeout):
                FileLock(tmp_path / name / "locks" / "uploads.lock").acquire(blocking=False)
