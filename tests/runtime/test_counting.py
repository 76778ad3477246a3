"""Trainings are counted when they are stored, whatever their reader does meanwhile."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import RunCancelled
from core.runtime import counting
from core.runtime.context import Arrays, RunContext
from core.runtime.counting import Counting
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.steps import steps_taken, tell
from core.runtime.store import Store
from tests.patience import PATIENCE


class Heard(Progress):
    """Notes what is reported, and lets others wait for it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.total = self.done = 0
        self.changed = threading.Condition()

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        with self.changed:
            self.total, self.done = total, done
            self.lines.append(name)
            self.changed.notify_all()

    def advance(self, items: int = 1) -> None:
        with self.changed:
            self.done += items
            self.lines.append(f"{self.done} of {self.total}")
            self.changed.notify_all()

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        self.lines.append(f"{len(curve)} points")

    def hears(self, line: str) -> bool:
        """Wait for a report; tell whether it came."""
        with self.changed:
            return self.changed.wait_for(lambda: line in self.lines, PATIENCE)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_INTERVAL", 0.01)


def single(item: int) -> Arrays:
    return {"square": np.array(item * item)}


@pytest.mark.usefixtures("often")
def test_trainings_go_on_and_are_counted_while_their_reader_is_busy(store: Store) -> None:
    heard = Heard()
    context = RunContext(store, Engine(workers=2), heard)
    trained = context.train("Training", "key", single, range(12), {}, then="Fitting")
    next(trained)
    assert heard.hears("12 of 12"), "though only the first was read"
    assert heard.hears("Fitting"), "the stage is over once all are trained"
    assert len(list(trained)) == 11
    steps = [line for line in heard.lines if " of " in line]
    assert steps == [f"{done} of 12" for done in range(1, 13)], "each is counted once, by one"


@pytest.mark.usefixtures("often")
def test_what_is_read_as_it_comes_has_one_stage(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_INTERVAL", PATIENCE)
    heard = Heard()
    assert len(list(RunContext(store, Engine(workers=1), heard).train("Training", "key", single, range(4), {}))) == 4
    assert heard.lines == ["Training", "1 of 4", "2 of 4", "3 of 4", "4 of 4"]


@pytest.mark.usefixtures("often")
def test_what_another_process_stores_is_counted_too(store: Store) -> None:
    heard = Heard()
    heard.stage("Training", 2)
    counted = Counting(store, "key", heard, {0, 1}, "Fitting")
    counted.begin()
    store.put_arrays("key", "1", {"square": np.array(1)})
    assert heard.hears("1 of 2")
    counted.close()
    store.put_arrays("key", "0", {"square": np.array(0)})
    assert not any("2 of 2" in line for line in heard.lines), "a later stage counts alone"


@pytest.mark.usefixtures("often")
def test_a_reader_that_gives_up_ends_the_counting(store: Store) -> None:
    before = threading.active_count()
    context = RunContext(store, Engine(workers=1), Heard())
    trained = context.train("Training", "key", single, range(4), {})
    next(trained)
    trained.close()
    kept = RunContext(store, Engine(workers=1), Heard()).train("Training", "other", single, range(4), {})
    next(kept)
    context.release()
    assert not [thread for thread in threading.enumerate() if thread.name == "count trainings"][1:]
    kept.close()
    assert threading.active_count() <= before + 1


@pytest.mark.usefixtures("often")
def test_a_run_that_was_cancelled_meanwhile_learns_it_from_its_own_report(store: Store) -> None:
    class Cancelled(Heard):
        def advance(self, items: int = 1) -> None:
            raise RunCancelled("The job was cancelled.")

    counted = Counting(store, "key", Cancelled(), {0}, "Fitting")
    counted.begin()
    store.put_arrays("key", "0", single(0))
    assert counted._thread is not None
    counted._thread.join(PATIENCE)
    assert not counted._thread.is_alive(), "the thread ends without a traceback"
    with pytest.raises(RunCancelled):
        counted.stored(0)
    counted.close()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("raised_by", ["stored", "close"])
def test_what_goes_wrong_in_the_thread_reaches_the_run(store: Store, raised_by: str) -> None:
    class Broken(Heard):
        def advance(self, items: int = 1) -> None:
            raise OSError("No space is left.")

    counted = Counting(store, "key", Broken(), {0}, "Fitting")
    counted.begin()
    store.put_arrays("key", "0", single(0))
    assert counted._thread is not None
    counted._thread.join(PATIENCE)
    with pytest.raises(OSError, match="No space is left"):
        counted.stored(1) if raised_by == "stored" else counted.close()
    counted.close()


def test_a_training_is_stored_by_the_process_that_computed_it(store: Store) -> None:
    """So that nothing finished is lost with a reader that is busy."""
    context = RunContext(store, Engine(workers=2), Heard())
    trained = context.train("Training", "key", single, range(3), {})
    next(trained)
    deadline = threading.Event()
    while len(store.array_names("key")) < 3:
        assert not deadline.wait(0.01)
    trained.close()
    again = RunContext(store, Engine(workers=1), Heard())
    assert len(list(again.train("Training", "key", single, range(3), {}))) == 3
    assert again.trainings == 0


HEARD: list[Heard] = []


def stepping(item: int) -> Arrays:
    """Tell steps, and go on once they are counted."""
    for done in (1, 3, 5):
        tell(done)
        expected = f"{5 * item + min(done, 4)} of 10"
        assert HEARD[-1].hears(expected), expected
    return {"square": np.array(item)}


@pytest.mark.usefixtures("often")
def test_steps_of_a_training_under_way_are_counted_and_the_last_once_it_is_stored(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("core.runtime.steps._INTERVAL", 0.0)
    monkeypatch.setattr("tempfile.tempdir", str(folder := tmp_path / "told"))
    folder.mkdir()
    HEARD.append(heard := Heard())
    trained = RunContext(store, Engine(workers=1), heard).train("Training", "key", stepping, [0, 1], {}, steps_each=5)
    assert [item for item, _ in trained] == [0, 1]
    counts = [line for line in heard.lines if " of " in line]
    assert counts == [f"{done} of 10" for done in (1, 3, 4, 5, 6, 8, 9, 10)]
    assert not list(folder.iterdir()), "nothing is left behind"
    again = Heard()
    assert (
        len(
            list(
                RunContext(store, Engine(workers=1), again).train("Training", "key", stepping, [0, 1], {}, steps_each=5)
            )
        )
        == 2
    )
    assert (again.done, again.total) == (10, 10), "what is stored counts as a whole"
    tell(7)
    assert steps_taken(tmp_path, 0) == 0, "where nobody counts, nothing is told"
