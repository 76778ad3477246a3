"""Trainings are computed once ever, counted, and their memory is told."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.adversaries.pairs.rows import Rows
from core.errors import StoreFull
from core.runtime.context import RunContext, content_key
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from tests.errands import grow


class Diary(Progress):
    def __init__(self) -> None:
        self.lines: list[tuple[Any, ...]] = []

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.lines.append((name, total, done))

    def advance(self, items: int = 1) -> None:
        self.lines.append((items,))

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        self.lines.append(("partial", len(curve)))


def context(store: Store) -> RunContext:
    return RunContext(store=store, engine=Engine(workers=1), progress=Diary())


def grown(context: RunContext, items: Sequence[int]) -> dict[int, list[float]]:
    return {item: arrays["row"].tolist() for item, arrays in context.train("Growing", "key", grow, items, {"width": 3})}


def test_nothing_is_computed_twice(store: Store) -> None:
    first, second = context(store), context(store)
    assert grown(first, range(3)) == {item: [item] * 3 for item in range(3)}
    assert grown(second, range(5)) == {item: [item] * 3 for item in range(5)}
    assert (first.trainings, second.trainings) == (3, 2)
    assert isinstance(second.progress, Diary)
    assert second.progress.lines == [("Growing", 5, 3), (1,), (1,)]


def test_a_training_is_stored_before_anyone_sees_it(store: Store) -> None:
    trained = context(store).train("Growing", "key", grow, range(3), {"width": 3})
    item, _ = next(trained)
    assert str(item) in store.array_names("key")


def test_a_damaged_training_is_computed_again(store: Store) -> None:
    grown(context(store), range(3))
    path = store.root / "parts/key/1.npz"
    path.write_bytes(path.read_bytes()[:-1])
    again = context(store)
    assert grown(again, range(3)) == {item: [item] * 3 for item in range(3)}
    assert again.trainings == 1
    assert isinstance(again.progress, Diary)
    assert again.progress.lines == [("Growing", 3, 3), (-1,), (1,)]


def test_a_full_disk_loses_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.fsync, []

    def nearly_full(file: int) -> None:
        calls.append(file)
        if len(calls) > 2:
            raise OSError(28, "No space left on device")
        real(file)

    monkeypatch.setattr(os, "fsync", nearly_full)
    with pytest.raises(StoreFull, match="resumes"):
        grown(context(store), range(5))
    monkeypatch.undo()
    again = context(store)
    assert len(grown(again, range(5))) == 5
    assert again.trainings == 3


def test_memory_is_that_of_the_run_and_its_workers(store: Store) -> None:
    alone, helped = context(store), RunContext(store=store, engine=Engine(workers=2))
    grown(alone, range(2))
    grown(helped, range(2, 8))
    assert list(alone.worker_memory_mb) == [next(name for name in alone.worker_memory_mb if str(os.getpid()) in name)]
    assert alone.peak_memory_mb > 20
    assert all(20 < peak < 4000 for peak in helped.worker_memory_mb.values())
    assert helped.peak_memory_mb > sum(helped.worker_memory_mb.values()) + 20


def test_rows_come_back_from_disk(store: Store) -> None:
    with Rows(store, 5) as rows:
        for row in (2, 0, 1):
            rows.write(row, np.arange(5, dtype=np.float32) + 10 * row)
        assert rows.read([2, 0], slice(1, 3)).tolist() == [[21, 22], [1, 2]]
        assert rows.read([], slice(0, 5)).shape == (0, 5)
    assert not [path for path in store.root.iterdir() if path.is_file()], "the scratch file is gone"


def test_a_row_that_the_disk_takes_in_parts_is_written_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.pwrite

    def stingy(file: int, content: Any, offset: int) -> int:
        return real(file, bytes(content)[:7], offset)

    monkeypatch.setattr(os, "pwrite", stingy)
    with Rows(store, 5) as rows:
        rows.write(1, np.arange(5, dtype=np.float32))
        assert rows.read([1], slice(0, 5)).tolist() == [[0, 1, 2, 3, 4]]


def test_rows_on_a_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="TELLTALE_HOME"):
        Rows(Store(root=tmp_path / "file" / "home"), 5)


def test_a_key_of_contents_tells_all_contents_apart() -> None:
    base = np.arange(6, dtype=np.float32)
    told_apart = [
        (base,),
        (base.reshape(2, 3),),
        (base.reshape(3, 2),),
        (base.astype(np.float64),),
        (base.astype(">f4"),),
        (base.view(np.int32),),
        (base[::-1],),
        (base[:3], base[3:]),
        (base[:2], base[2:]),
        (base, base),
        (np.append(base[:5], np.float32(5.000001)),),
        (base[:0],),
        (np.empty((0, 3), np.float32),),
        (np.zeros(1, np.float32),),
        (np.array(-0.0, np.float32),),
        (),
    ]
    keys = [content_key(*arrays) for arrays in told_apart]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 16 for key in keys)


def test_a_key_of_contents_does_not_depend_on_how_they_lie_in_memory() -> None:
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    same = [table.copy(), np.asfortranarray(table), np.repeat(table, 2, axis=1)[:, ::2]]
    frozen = table.copy()
    frozen.flags.writeable = False
    assert {content_key(other) for other in (*same, frozen)} == {content_key(table)}
