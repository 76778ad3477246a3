"""Embeddings are kept once, come back as they were, and damage costs a computation at most."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.encoders.stored_embeddings import StoredEmbeddings, text_key
from core.errors import StoreFull, StoreReadOnly
from core.runtime.store import Store
from tests.encoders.trouble import full_disk, read_only

VECTORS = {text_key(f"text {number}"): np.full(8, number, np.float32) for number in range(700)}


def test_what_was_put_comes_back(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    assert kept.get(VECTORS) == {}
    kept.put(VECTORS)
    vectors = kept.get([*VECTORS, text_key("another")])
    assert vectors.keys() == VECTORS.keys()
    assert all(np.array_equal(vectors[key], VECTORS[key]) for key in VECTORS)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside(store: Store, content: bytes) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.path.parent.mkdir(parents=True)
    kept.path.write_bytes(content)
    assert kept.get(VECTORS) == {}
    kept.put(VECTORS)
    assert len(kept.get(VECTORS)) == len(VECTORS)
    assert not content or any((store.root / "damaged").iterdir())


def test_a_flipped_bit_counts_as_absent(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.put(VECTORS)
    spoiled = text_key("text 3")
    with sqlite3.connect(kept.path) as database:
        (value,) = database.execute("SELECT vector FROM embeddings WHERE text = ?", (spoiled,)).fetchone()
        changed = bytes([*value[:-1], value[-1] ^ 1])
        database.execute("UPDATE embeddings SET vector = ? WHERE text = ?", (changed, spoiled))
    database.close()
    assert kept.get(VECTORS).keys() == VECTORS.keys() - {spoiled}


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("intact")
    kept = StoredEmbeddings(Store(root=folder, shipped=folder), "name")
    kept.put(VECTORS)
    return kept.path.read_bytes()


def without_page(content: bytes, page: int) -> bytes:
    return content[: page * 4096] + b"\xa5" * 4096 + content[(page + 1) * 4096 :]


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content[:4096],
        lambda content: content[:18] + bytes([content[18] ^ 4]) + content[19:],
        lambda content: without_page(content, 1),
        lambda content: without_page(content, len(content) // 8192),
        lambda content: content.replace(b"CREATE TABLE embeddings", b"CREATE TABLE embe\xffdings"),
        lambda content: content.replace(b"vector BLOB NOT NULL", b"victor BLOB NOT NULL"),
        lambda content: content.replace(b"PRIMARY", b"PRIM\xeeRY"),
    ],
)
def test_a_file_cut_short_or_overwritten_costs_a_computation_at_most(
    store: Store, intact: bytes, harm: Callable[[bytes], bytes]
) -> None:
    kept, other = StoredEmbeddings(store, "name"), StoredEmbeddings(store, "other")
    other.put(VECTORS)
    spoiled = harm(intact)
    assert spoiled != intact
    kept.path.write_bytes(spoiled)
    assert true(kept)
    kept.put(VECTORS)
    assert len(kept.get(VECTORS)) == len(VECTORS)
    aside = [path.read_bytes() for path in store.root.glob("damaged/*/name.sqlite")]
    assert aside in ([], [spoiled]), "it is set aside as it was, or mended where it is"
    assert len(other.get(VECTORS)) == len(VECTORS), "nothing else is touched"


@given(
    flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=40), edge=st.booleans()
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_bytes_change_no_wrong_embedding_comes_back(
    intact: bytes, flips: list[tuple[float, int]], edge: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    kept = StoredEmbeddings(Store(root=folder, shipped=folder), "name")
    kept.path.parent.mkdir()
    content = bytearray(intact)
    for position, value in flips:
        content[int(position * (4096 if edge else len(content)))] = value
    kept.path.write_bytes(content)
    assert true(kept)
    kept.put(VECTORS)
    assert true(kept)


def true(kept: StoredEmbeddings) -> bool:
    """Tell whether all that comes back is what was put."""
    return all(np.array_equal(VECTORS[key], vector) for key, vector in kept.get(VECTORS).items())


def test_an_embedding_under_the_key_of_another_text_counts_as_absent(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.put(VECTORS)
    one, other = text_key("text 3"), text_key("text 4")
    with sqlite3.connect(kept.path) as database:
        (value,) = database.execute("SELECT vector FROM embeddings WHERE text = ?", (other,)).fetchone()
        database.execute("UPDATE embeddings SET vector = ? WHERE text = ?", (value, one))
    database.close()
    assert kept.get(VECTORS).keys() == VECTORS.keys() - {one}


@pytest.mark.parametrize("value", ["text", "caf\udcff", 7, 0.5])
def test_what_is_no_vector_at_all_counts_as_absent(store: Store, value: object) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.put(VECTORS)
    with sqlite3.connect(kept.path) as database:
        if value == "caf\udcff":
            database.execute(
                "UPDATE embeddings SET vector = CAST(x'ff80' AS TEXT) WHERE text = ?", (text_key("text 3"),)
            )
        else:
            database.execute("UPDATE embeddings SET vector = ? WHERE text = ?", (value, text_key("text 3")))
    database.close()
    assert len(kept.get(VECTORS)) == len(VECTORS) - 1


def test_a_full_disk_is_said_and_keeps_what_was_there(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.put(VECTORS)
    with full_disk(), pytest.raises(StoreFull, match=r"embeddings\. Free some, then run again: it resumes"):
        kept.put({text_key("new"): np.zeros(8, np.float32)})
    assert len(kept.get(VECTORS)) == len(VECTORS)


def test_a_file_that_cannot_be_written_is_said_and_keeps_what_was_there(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.put(VECTORS)
    with read_only(), pytest.raises(StoreReadOnly, match=r"embeddings cannot be written .* Point TELLTALE_HOME"):
        kept.put({text_key("new"): np.zeros(8, np.float32)})
    assert kept.get(VECTORS).keys() == VECTORS.keys()
    assert not (store.root / "damaged").exists()


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        StoredEmbeddings(Store(root=tmp_path / "file" / "home", shipped=tmp_path), "name").put(VECTORS)


def test_two_processes_may_write_at_once(store: Store) -> None:
    with get_context("fork").Pool(2) as writers:
        writers.starmap(write, [(store, 0), (store, 350)], chunksize=1)
    assert len(StoredEmbeddings(store, "name").get(VECTORS)) == 700


def test_a_process_that_creates_the_file_is_waited_for(store: Store) -> None:
    kept = StoredEmbeddings(store, "name")
    kept.path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(kept.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        creating = threading.Timer(0.3, other.execute, ["COMMIT"])
        creating.start()
        kept.put(VECTORS)
        creating.join()
    assert kept.get(VECTORS).keys() == VECTORS.keys()


def write(store: Store, start: int) -> None:
    keys = list(VECTORS)[start : start + 350]
    for key in keys:
        StoredEmbeddings(store, "name").put({key: VECTORS[key]})
