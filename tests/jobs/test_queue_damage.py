"""A damaged queue file: pages open, new runs start, and results stay."""

import fcntl
import os
import random
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from core.errors import StoreError, StoreFull
from core.jobs import Jobs
from core.jobs.capacity import Capacity
from core.jobs.progress import JobProgress
from core.jobs.queue_file import QueueFile
from core.runtime.change_count import ENDING
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


@pytest.fixture(scope="module")
def filled(shared_store: Store) -> bytes:
    """The bytes of a queue with a run of each kind."""
    content = queue_of(shared_store)
    let_all_go()
    return content


@pytest.fixture
def whole(store: Store, filled: bytes) -> bytes:
    """The bytes of the store's queue, which has a run of each kind; the store has a result as well."""
    store.put_files("kept", {"a": b"1"})
    put(store, filled)
    return filled


def queue_of(store: Store) -> bytes:
    """Fill the queue of a store with a run of each kind, and store a result; return the bytes of the queue."""
    jobs = Mine(store)
    for number in range(6):
        jobs.ask({"seed": number, "attack": {"part": "word_pairs"}}, f"{number:016x}", f"asker {number}")
        run = next(job for job in jobs.all() if job.state == "running")
        progress = JobProgress(jobs, run.key, run.token)
        progress.stage("Training shadow models", total=100)
        progress.partial([{"shadows": count, "accuracy": 0.5} for count in range(20)])
        if number < 3:
            jobs.finish(run.key, run.token, "failed" if number else "done", "It failed." if number else "")
    store.put_files("kept", {"a": b"1"})
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    return (store.root / "jobs.sqlite").read_bytes()


def with_log(store: Store, content: bytes) -> dict[str, bytes]:
    """Return, by ending, what stands beside a queue of these bytes while its last change is in the log alone."""
    put(store, content)
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as reader:
        reader.execute("select * from jobs").fetchall()
        Mine(store).cancel(f"{5:016x}")
        return {ending: (store.root / f"jobs.sqlite{ending}").read_bytes() for ending in ("-wal", "-shm", ENDING)}


def put(store: Store, content: bytes, beside: Mapping[str, bytes] | None = None) -> None:
    """Put these bytes in the place of the queue, and those of each ending beside it."""
    for ending in ("-wal", "-shm", ENDING):
        (store.root / f"jobs.sqlite{ending}").unlink(missing_ok=True)
    for ending, file in {"": content, **(beside or {})}.items():
        (store.root / f"jobs.sqlite{ending}").write_bytes(file)
    let_all_go()


def unseal(database: sqlite3.Connection) -> None:
    """Make a queue one of an earlier version, whose rows have no digests."""
    for name in QueueFile.SEALS.statements:
        database.execute(f"drop table {name}" if name == "seals" else f"drop trigger {name}")


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
    for position in (*range(0, 100, 20), *rng.sample(range(100, len(whole)), 5)):
        content = bytearray(whole)
        content[position] ^= 1 << rng.randrange(8)
        put(store, bytes(content))
        works(store)
    assert list((store.root / "damaged").glob("*/jobs.sqlite"))


@pytest.mark.parametrize("written", [b"asker 5", b"Training shadow models", b"It failed.", b"running"])
def test_a_bit_that_flips_in_what_a_job_says_is_noticed_when_it_is_read(
    store: Store, whole: bytes, written: bytes
) -> None:
    assert written in whole
    put(store, whole.replace(written, bytes([written[0] ^ 1]) + written[1:]))
    assert Mine(store).all() == []
    assert list((store.root / "damaged").glob("*/jobs.sqlite"))


def test_a_queue_of_an_earlier_version_without_digests_is_read_and_gets_them(store: Store, whole: bytes) -> None:
    put(store, whole)
    known = Mine(store).all()
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as database, database:
        unseal(database)
    assert Mine(store).all() == known
    Mine(store).forget(f"{0:016x}")
    with closing(sqlite3.connect(store.root / "jobs.sqlite")) as database:
        assert database.execute("select count(*) from seals").fetchone()[0] >= len(known) - 1
    works(store)
    assert not (store.root / "damaged").exists()


def test_a_disk_that_cannot_be_read_now_is_no_damage(
    store: Store, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, whole)

    class Failing(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "pragma integrity_check":
                statement = "select 'Tree 2 page 3: unable to get the page. error code=266'"
            return super().execute(statement, *values)

    with monkeypatch.context() as patched:
        patched.setattr("core.runtime.shared_file.sqlite3.connect", partial(sqlite3.connect, factory=Failing))
        with pytest.raises(StoreError, match="cannot be read now"):
            Mine(store).ask({}, "f" * 16)
    assert len(Mine(store).all()) == 6
    assert not (store.root / "damaged").exists()


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    ("position", "bits"), [(0, 1), (16, 64), (18, 4), (18, 1), (19, 4), (20, 1), (47, 4), (52, 1), (56, 1), (59, 2)]
)
def test_a_bit_that_flips_in_the_header_breaks_nothing(store: Store, whole: bytes, position: int, bits: int) -> None:
    put(store, whole[:position] + bytes([whole[position] ^ bits]) + whole[position + 1 :])
    works(store)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("kept", [0, 17, 100, 4096, 6000])
def test_a_queue_that_was_cut_off_breaks_nothing(store: Store, whole: bytes, kept: int) -> None:
    put(store, whole[:kept])
    works(store)
    assert list((store.root / "damaged").glob("*/jobs.sqlite"))
    assert Mine(store).lost() is not None


@pytest.mark.parametrize("ending", ["-wal", "-shm", ENDING])
def test_damage_beside_the_queue_breaks_nothing(store: Store, whole: bytes, ending: str) -> None:
    beside = with_log(store, whole)
    for position in random.Random(2).sample(range(len(beside[ending])), 3):
        file = beside[ending][:position] + b"\xff\0\xff" + beside[ending][position + 3 :]
        put(store, whole, {**beside, ending: file} if ending == ENDING else {ending: file})
        works(store)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("position", [0, 24, 60, -5000, -1])
def test_a_change_that_the_log_lost_is_noticed_when_the_queue_is_read(
    store: Store, whole: bytes, position: int
) -> None:
    beside = with_log(store, whole)
    log = bytearray(beside["-wal"])
    log[position] ^= 1
    put(store, whole, {"-wal": bytes(log), ENDING: beside[ENDING]})
    assert Mine(store).all() == []
    assert len(list((store.root / "damaged").glob("*/jobs.sqlite"))) == 1
    works(store)


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
        unseal(database)
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
