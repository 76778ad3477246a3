"""Nothing stored is lost or silently wrong."""

import errno
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import StoreError, StoreFull, StoreReadOnly
from core.runtime.store import MANIFEST, Store


def test_files_come_back_as_they_were(store: Store) -> None:
    store.put_files("abc", {"a.json": b"1", "b.bin": b"\0\1"})
    assert store.get_files("abc") == {"a.json": b"1", "b.bin": b"\0\1"}
    store.put_files("abc", {"a.json": b"2"})
    assert store.get_files("abc") == {"a.json": b"2"}
    assert store.results() == ["abc"]
    store.delete("abc")
    assert store.get_files("abc") is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(position=st.integers(min_value=0), bit=st.integers(0, 7), name=st.sampled_from(["arrays", "a.json", MANIFEST]))
def test_a_flipped_bit_anywhere_is_noticed_and_set_aside(store: Store, position: int, bit: int, name: str) -> None:
    store.put_files("key", {"a.json": b'{"x": 1}'})
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    path = store.root / "parts/key/0.npz" if name == "arrays" else store.root / "results/key" / name
    content = bytearray(path.read_bytes())
    content[position % len(content)] ^= 1 << bit
    path.write_bytes(content)
    if name == "arrays":
        assert store.get_arrays("key", "0") is None
        assert store.array_names("key") == set()
    else:
        files = store.get_files("key")
        assert files is None
    assert any((store.root / "damaged").iterdir())


@pytest.mark.parametrize("size", [0, 10, 31, 33])
def test_truncated_arrays_are_noticed(store: Store, size: int) -> None:
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    path = store.root / "parts/key/0.npz"
    path.write_bytes(path.read_bytes()[:size])
    assert store.get_arrays("key", "0") is None


def test_precomputed_results_come_first_and_are_never_written(store: Store) -> None:
    Store(root=store.shipped.parent, shipped=store.shipped)
    store.put_files("key", {"a": b"mine"})
    store.ship("key")
    store.delete("key")
    assert store.is_shipped("key")
    assert store.get_files("key") == {"a": b"mine"}
    (store.shipped / "key" / "a").write_bytes(b"changed")
    assert store.get_files("key") is None
    assert (store.shipped / "key" / "a").read_bytes() == b"changed", "what ships with the code is left alone"


def test_a_full_disk_is_said_and_leaves_nothing_half_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put_files("key", {"a": b"old"})

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFull, match="resumes"):
        store.put_files("key", {"a": b"new"})
    with pytest.raises(StoreFull):
        store.put_arrays("key", "0", {"row": np.arange(5.0)})
    monkeypatch.undo()
    assert store.get_files("key") == {"a": b"old"}
    assert not list((store.root / "parts/key").iterdir())
    assert not list((store.root / "temporary").iterdir())


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(root=tmp_path / "file" / "home", shipped=tmp_path)
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        store.check_writable()
    with pytest.raises(StoreReadOnly):
        store.put_arrays("key", "0", {"row": np.arange(5.0)})
    assert store.get_files("key") is None
    assert store.get_arrays("key", "0") is None


def test_objects_are_never_unpickled(store: Store) -> None:
    path = store.root / "parts/key/0.npz"
    path.parent.mkdir(parents=True)
    np.savez(path, row=np.array([{}], dtype=object), allow_pickle=True)
    assert store.get_arrays("key", "0") is None


def test_arrays_of_any_kind_come_back(store: Store) -> None:
    arrays: dict[str, Any] = {"words": np.array(["a", "bé"]), "row": np.zeros((2, 3), np.float32), "n": np.float64(1)}
    store.put_arrays("key", "7", arrays)
    back = store.get_arrays("key", "7")
    assert back is not None
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)
    assert store.array_names("key") == {"7"}


def test_writers_and_readers_of_one_result_never_meet_half_of_it(store: Store) -> None:
    files = {name: name.encode() * 5000 for name in "abc"}
    store.put_files("key", files)
    troubles: list[BaseException] = []

    def busy(step: Callable[[], object]) -> None:
        try:
            for _ in range(25):
                step()
        except BaseException as error:
            troubles.append(error)

    def read() -> None:
        assert store.get_files("key") in (files, None)

    threads = [
        threading.Thread(target=busy, args=(step,)) for step in (lambda: store.put_files("key", files), read) * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not troubles
    store.put_files("key", files)
    assert store.get_files("key") == files


def test_what_killed_writers_left_is_cleared_away_in_time(store: Store) -> None:
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    old, new = store.root / "temporary/old", store.root / "temporary/new"
    old.mkdir()
    new.mkdir()
    os.utime(old, (0, 0))
    store.check_writable()
    assert new.exists()
    assert not old.exists()


def test_damage_that_cannot_be_moved_counts_as_absent_all_the_same(store: Store) -> None:
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    store.put_files("key", {"a": b"1"})
    (store.root / "parts/key/0.npz").write_bytes(b"short")
    (store.root / "results/key/a").write_bytes(b"2")
    (store.root / "damaged").write_text("in the way")
    assert store.get_arrays("key", "0") is None
    assert store.get_files("key") is None
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    store.put_files("key", {"a": b"1"})
    assert store.get_arrays("key", "0") is not None
    assert store.get_files("key") == {"a": b"1"}


def test_a_file_that_cannot_be_opened_is_no_damage(store: Store) -> None:
    store.put_arrays("key", "0", {"row": np.arange(5.0)})
    path = store.root / "parts/key/0.npz"
    shutil.copy(path, path.with_name("copy"))
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        store.get_arrays("key", "0")


def test_a_relative_home_means_the_same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TELLTALE_HOME", "mine")
    assert Store().root == tmp_path / "mine"
