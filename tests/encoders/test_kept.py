"""Embeddings are kept once, come back as they were, and damage costs a computation at most."""

import multiprocessing
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from core.encoders.kept import Kept, text_key
from core.errors import StoreFull, StoreReadOnly
from core.store import Store

VECTORS = {text_key(f"text {number}"): np.full(8, number, np.float32) for number in range(700)}


def test_what_was_put_comes_back(store: Store) -> None:
    kept = Kept(store, "name")
    assert kept.get(VECTORS) == {}
    kept.put(VECTORS)
    found = kept.get([*VECTORS, text_key("another")])
    assert found.keys() == VECTORS.keys()
    assert all(np.array_equal(found[key], VECTORS[key]) for key in VECTORS)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside(store: Store, content: bytes) -> None:
    kept = Kept(store, "name")
    kept.path.parent.mkdir(parents=True)
    kept.path.write_bytes(content)
    assert kept.get(VECTORS) == {}
    kept.put(VECTORS)
    assert len(kept.get(VECTORS)) == len(VECTORS)
    assert not content or any((store.root / "damaged").iterdir())


def test_a_flipped_bit_counts_as_absent(store: Store) -> None:
    kept = Kept(store, "name")
    kept.put(VECTORS)
    spoiled = text_key("text 3")
    with sqlite3.connect(kept.path) as database:
        (value,) = database.execute("SELECT vector FROM embeddings WHERE text = ?", (spoiled,)).fetchone()
        changed = bytes([*value[:-1], value[-1] ^ 1])
        database.execute("UPDATE embeddings SET vector = ? WHERE text = ?", (changed, spoiled))
    database.close()
    assert kept.get(VECTORS).keys() == VECTORS.keys() - {spoiled}


def test_a_full_disk_is_said_and_keeps_what_was_there(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(store, "name")
    kept.put(VECTORS)

    class Full(sqlite3.Connection):
        def executemany(self, *_: object) -> sqlite3.Cursor:
            return self.execute("PRAGMA max_page_count = 1").connection.execute(
                "INSERT INTO embeddings VALUES (x'00', zeroblob(9000000))"
            )

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, timeout: connect(path, timeout=timeout, factory=Full))
    with pytest.raises(StoreFull, match="resumes"):
        kept.put({text_key("new"): np.zeros(8, np.float32)})
    monkeypatch.undo()
    assert len(kept.get(VECTORS)) == len(VECTORS)


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        Kept(Store(root=tmp_path / "file" / "home", shipped=tmp_path), "name").put(VECTORS)


def test_two_processes_may_write_at_once(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write, args=(store, start)) for start in (0, 350)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(Kept(store, "name").get(VECTORS)) == 700


def write(store: Store, start: int) -> None:
    keys = list(VECTORS)[start : start + 350]
    for key in keys:
        Kept(store, "name").put({key: VECTORS[key]})
