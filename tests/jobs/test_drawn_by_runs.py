"""A run of the queue draws what only pages show, and one whose result is stored draws what is missing of it."""

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from core import drawings
from core.datasets.documents import Documents
from core.errors import StoreFull
from core.experiment import Experiment
from core.jobs import sessions, worker
from core.jobs.timelines import Timelines
from core.runtime import memory
from core.runtime.store import Store
from tests.errands import tiny
from tests.jobs.test_jobs import Mine, found, held, token


@pytest.fixture
def jobs(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mine]:
    """A queue whose runs take place in this process."""
    queue = Mine(store)
    monkeypatch.setattr(memory, "limit", lambda _: None)
    monkeypatch.setattr(sessions, "step_back", lambda: None)
    monkeypatch.setattr(worker, "Jobs", lambda _: queue)
    yield queue
    while held:
        held.pop().close()


def full(*_: object) -> None:
    raise StoreFull("No space is left.")


def test_a_run_draws_and_a_stored_result_is_asked_for_to_draw_what_is_missing(
    jobs: Mine, planted: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, experiment = jobs.store, Experiment.parse(tiny(planted.source))
    values, key = experiment.as_dict(), experiment.key
    jobs.ask(values, key, "ann")
    worker.main(key, token(jobs, key))
    assert found(jobs, key).state == "done" and drawings.missing(store, experiment) == []
    stages = Timelines(store).exactly(values)
    assert {"Training shadow models", "Drawing the word maps"} <= {stage.name for stage in stages}
    trained = sorted(Path(store.root, "parts").rglob("*.npz"))

    rmtree(store.root / "drawings" / key)
    drawing_job = jobs.ask(values, key, "bob")
    assert drawing_job.active and drawing_job.asker == "ann", "whose result it is does not change"
    assert drawing_job.expected is None, "it takes another time than the run did"
    worker.main(key, token(jobs, key))
    assert found(jobs, key).state == "done" and drawings.missing(store, experiment) == []
    assert sorted(Path(store.root, "parts").rglob("*.npz")) == trained
    assert Timelines(store).exactly(values) == stages, "the next run will take as long as the first did"

    rmtree(store.root / "drawings" / key)
    monkeypatch.setattr(Store, "put_drawing", full)
    jobs.ask(values, key, "bob")
    worker.main(key, token(jobs, key))
    assert (found(jobs, key).state, found(jobs, key).message) == ("done", "No space is left."), "its result is there"

    store.delete(key)
    assert jobs.ask(values, key, "bob").asker == "bob"


def test_a_job_that_only_draws_is_done_where_it_is_cancelled(jobs: Mine, planted: Documents) -> None:
    experiment = Experiment.parse(tiny(planted.source))
    values, key = experiment.as_dict(), experiment.key
    jobs.ask(values, key, "ann")
    worker.main(key, token(jobs, key))
    rmtree(jobs.store.root / "drawings" / key)
    assert jobs.ask(values, key, "ann").active
    jobs.cancel(key)
    assert found(jobs, key).state == "done", "its result is stored"
    jobs.store.delete(key)
    assert jobs.ask(values, key, "ann").active
    jobs.cancel(key)
    assert found(jobs, key).state == "cancelled"
