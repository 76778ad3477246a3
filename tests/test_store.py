"""Nothing stored is lost or silently wrong."""

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import StoreFull, StoreReadOnly
from core.store import MANIFEST, Store


def test_files_come_back_as_they_were(store: Store) -> None:
    store.put_files("abc", {"a.json": b"1", "b.bin": b"\0\1"})
    assert store.get_files("abc") == {"a.json": b"1", "b.bin": b"\0\1"}
    store.put_files("abc", {"a.json": b"2"})
    assert store.get_files("abc") == {"a.json": b"2"}
    assert store.results() == ["abc"]
    store.delete("abc")
    assert store.get_files("abc") is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(place=st.integers(min_value=0), bit=st.integers(0, 7), name=st.sampled_from(["part", "a.json", MANIFEST]))
def test_a_flipped_bit_anywhere_is_noticed_and_set_aside(store: Store, place: int, bit: int, name: str) -> None:
    store.put_files("key", {"a.json": b'{"x": 1}'})
    store.put_part("key", "0", {"row": np.arange(5.0)})
    path = store.root / "parts/key/0.npz" if name == "part" else store.root / "results/key" / name
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << bit
    path.write_bytes(content)
    if name == "part":
        assert store.get_part("key", "0") is None
        assert not store.has_part("key", "0")
    else:
        files = store.get_files("key")
        assert files is None
    assert any((store.root / "damaged").iterdir())


@pytest.mark.parametrize("size", [0, 10, 31, 33])
def test_a_truncated_part_is_noticed(store: Store, size: int) -> None:
    store.put_part("key", "0", {"row": np.arange(5.0)})
    path = store.root / "parts/key/0.npz"
    path.write_bytes(path.read_bytes()[:size])
    assert store.get_part("key", "0") is None


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
        store.put_part("key", "0", {"row": np.arange(5.0)})
    monkeypatch.undo()
    assert store.get_files("key") == {"a": b"old"}
    assert not [path for path in (store.root / "parts/key").iterdir()]


def test_a_home_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(root=tmp_path / "file" / "home", shipped=tmp_path)
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        store.check_writable()
    with pytest.raises(StoreReadOnly):
        store.put_part("key", "0", {"row": np.arange(5.0)})
    assert store.get_files("key") is None
    assert store.get_part("key", "0") is None


def test_objects_are_never_unpickled(store: Store) -> None:
    path = store.root / "parts/key/0.npz"
    path.parent.mkdir(parents=True)
    np.savez(path, row=np.array([{}], dtype=object), allow_pickle=True)
    assert store.get_part("key", "0") is None


def test_arrays_of_any_kind_come_back(store: Store) -> None:
    arrays: dict[str, Any] = {"words": np.array(["a", "bé"]), "row": np.zeros((2, 3), np.float32), "n": np.float64(1)}
    store.put_part("key", "7", arrays)
    back = store.get_part("key", "7")
    assert back is not None
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)
    assert store.part_names("key") == {"7"}
