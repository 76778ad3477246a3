"""A damaged queue file: pages open, new runs start, and results stay."""

import fcntl
import os
import random
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest

from core.errors import StoreError, StoreFull
from core.jobs import Jobs
from core.jobs.capacity import Capacity
from core.jobs.progress import JobProgress
from core.runtime.store import Store

ONE = Capacity(1, 1)
held: list[BinaryIO] = []


@dataclass(frozen=True)
class Mine(Jobs):
    """A queue whose run is this very process."""

    capacity: Capacity = ONE

    def _start(self, key: str, token: str) -> None:
        self._locks.mkdir(exist_ok=True)
        held.append((self._locks / token).open("xb"))
        fcntl.flock(held[-1], fcntl.LOCK_EX)


def let_all_go() -> None:
    """Let go of the locks of all runs."""
    while held:
        held.pop().close()


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """Let go of the locks of all runs after each test."""
    yield
    let_all_go()


@pytest.fixture
def whole(store: Store) -> bytes:
    """The bytes of a queue with a run of each kind; the store has a result as well."""
    return queue_of(store)


def queue_of(store: Store) -> bytes:
    """Fill the queue of a store with a run of each kind, and store a result; return the bytes of the queue."""
    jobs = Mine(store)
    for number in range(6):
        jobs.ask({"seed": number, "attack": {"part": "word_pairs"}}, f"{number:016x}")
        run = next(job for job in jobs.all() if job.state == "running")
        progress = JobProgress(jobs, run.key, run.token)
        progress.stage("Training shadow models", total=100)
        progress.partial([{"shadows": count, "accuracy": 0.5} for count in range(20)])
        if number < 3:
            jobs.finish(run.key, run.token, "failed" if number else "done", "It failed." if number else "")
    store.put_files("kept", {"a": b"1"})
    return (store.root / "jobs.sqlite").read_bytes()


def interrupted(store: Store, content: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of a queue and of its journal as a kill in the middle of a change leaves them."""
    put(store, content)
    path = store.root / "jobs.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("pragma cache_size = 1")  # so that a part is written before all of it is changed
        database.execute("begin immediate")
        database.execute("update jobs set message = hex(zeroblob(3000))")
        half, journal = path.read_bytes(), path.with_name(f"{path.name}-journal").read_bytes()
    assert half != content
    return half, journal


def put(store: Store, content: bytes, journal: bytes | None = None) -> None:
    """Put these bytes in the place of the queue, and of its journal."""
    path = store.root / "jobs.sqlite"
    beside = path.with_name(f"{path.name}-journal")
    beside.unlink(missing_ok=True)
    path.write_bytes(content)
    if journal is not None:
        beside.write_bytes(journal)
    let_all_go()


def works(store: Store) -> None:
    """List, ask and run: nothing is refused."""
    jobs, key = Mine(store), "f" * 16
    jobs.all()
    jobs.tend()
    assert jobs.ask({"seed": 9}, key).active
    for job in jobs.all():
        if job.key != key:
            jobs.cancel(job.key)
    mine = jobs.find(key)
    assert mine is not None
    assert jobs.claim(key, mine.token).experiment == {"seed": 9}
    progress = JobProgress(jobs, key, mine.token)
    progress.stage("Training", total=2)
    progress.partial([{"accuracy": 0.5}])
    assert jobs.finish(key, mine.token, "done")
    assert {job.state for job in jobs.all() if job.key == key} == {"done"}
    jobs.forget(key)
    assert store.get_files("kept") == {"a": b"1"}


@pytest.mark.slow
def test_a_bit_that_flips_anywhere_breaks_nothing(store: Store, whole: bytes) -> None:
    rng = random.Random(1)
    for place in (*range(0, 100, 10), *rng.sample(range(100, len(whole)), 20)):
        content = bytearray(whole)
        content[place] ^= 1 << rng.randrange(8)
        put(store, bytes(content))
        works(store)
    assert list((store.root / "damaged").glob("*/jobs.sqlite"))


@pytest.mark.parametrize(
    ("place", "bits"), [(0, 1), (16, 64), (18, 4), (18, 1), (19, 4), (20, 1), (47, 4), (52, 1), (56, 1), (59, 2)]
)
def test_a_bit_that_flips_in_the_header_breaks_nothing(store: Store, whole: bytes, place: int, bits: int) -> None:
    put(store, whole[:place] + bytes([whole[place] ^ bits]) + whole[place + 1 :])
    works(store)


@pytest.mark.parametrize("kept", [0, 17, 100, 4096, 6000])
def test_a_queue_that_was_cut_off_breaks_nothing(store: Store, whole: bytes, kept: int) -> None:
    put(store, whole[:kept])
    works(store)
    assert list((store.root / "damaged").glob("*/jobs.sqlite"))
    assert Mine(store).lost() is not None


def test_a_change_that_was_killed_is_taken_back(store: Store, whole: bytes) -> None:
    put(store, whole)
    known = Mine(store).all()
    put(store, *interrupted(store, whole))
    assert Mine(store).all() == known
    assert not (store.root / "damaged").exists()


def test_damage_to_the_journal_of_a_change_that_was_killed_breaks_nothing(store: Store, whole: bytes) -> None:
    half, journal = interrupted(store, whole)
    for place in (0, 9, *random.Random(2).sample(range(len(journal)), 6)):
        put(store, half, journal[:place] + b"\xff\0\xff" + journal[place + 3 :])
        works(store)


def test_a_queue_with_a_log_of_an_earlier_version_is_read_and_goes_on_without_one(store: Store, whole: bytes) -> None:
    put(store, whole)
    known = Mine(store).all()
    with closing(sqlite3.connect(store.root / "jobs.sqlite", isolation_level=None)) as other:
        other.execute("pragma journal_mode = wal")
        other.execute("update jobs set done = 7")
        assert [job.done for job in Mine(store).all()] == [7] * len(known), "what the log alone holds"
        Mine(store).forget(known[0].key)
        assert (store.root / "jobs.sqlite-wal").exists(), "it stays as it is while another version uses it"
    works(store)
    assert not (store.root / "jobs.sqlite-wal").exists()
    assert not (store.root / "damaged").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "drop table jobs",
        "alter table jobs rename column token to pid",
        "update jobs set state = 'sleeping'",
        "update jobs set asked = 1e300",
        "update jobs set asked = 'then', state = 'queued' where rowid = 2",
        "update jobs set key = cast(x'ff41' as text) where rowid = 2",
        "update jobs set key = x'00' where rowid = 2",
        "update jobs set curve = '[1'",
        "update jobs set experiment = replace(experiment, 'word', 'ward')",
        "update jobs set done = 'many'",
        "update jobs set attempts = 'some', state = 'running', token = ''",
        "update jobs set message = x'ff'",
        "create trigger refusing before update on jobs begin select raise(abort, 'no'); end",
    ],
)
def test_a_queue_of_another_kind_is_set_aside(store: Store, whole: bytes, statement: str) -> None:
    put(store, whole)
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as database, database:
        database.execute(statement)
    works(store)
    assert len(list((store.root / "damaged").glob("*/jobs.sqlite"))) == 1


def test_a_queue_that_is_busy_is_not_set_aside(store: Store, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.runtime.shared_file._PATIENCE", 0.1)
    with closing(sqlite3.connect(store.root / "jobs.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(StoreError, match="locked"):
            Mine(store).ask({}, "f" * 16)
        assert len(Mine(store).all()) == 6
        other.execute("rollback")
    works(store)
    assert not (store.root / "damaged").exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    try:
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], check=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("Only who may mount can try this.")
    yield folder
    let_all_go()
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_up_costs_no_queue(small_disk: Path) -> None:
    store = Store(root=small_disk / "home", shipped=small_disk / "shipped")
    jobs = Mine(store)
    store.put_files("kept", {"a": b"1"})
    run = jobs.ask({"seed": 1}, "a" * 16)
    progress = JobProgress(jobs, run.key, run.token)
    with (small_disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(os.urandom(4096))
    for count in range(40):
        progress.stage(f"Training {count}", total=100)
        progress.partial([{"shadows": number, "accuracy": 0.5} for number in range(10 * count)])
    assert [job.state for job in jobs.all()] in (["running"], []), "what cannot be read now may lag behind"
    with pytest.raises(StoreFull, match="resumes"):
        jobs.ask({"seed": 2}, "b" * 16)
    with pytest.raises(StoreFull):
        jobs.finish(run.key, run.token, "done", "x" * 50_000)
    assert not (store.root / "damaged").exists()
    (small_disk / "filler").unlink()
    assert jobs.finish(run.key, run.token, "done")
    assert jobs.ask({"seed": 2}, "b" * 16).state == "running"
    assert [job.key[0] for job in jobs.all()] == ["b", "a"]
