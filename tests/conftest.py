"""Fixtures of all tests: a separate home folder, stores, a cluster, and documents with a planted leak."""

import gc
import gzip
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from core.datasets.documents import Documents as OwnDocuments
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders import trial
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.statistics import privacy
from tests.attack_files import Install, attack_files
from tests.planted import planted_documents
from tests.quick import umap
from tests.runtime.clusters import Cluster, ready

if TYPE_CHECKING:
    from core.networks.private_steps import PrivateSteps

pytest_plugins = ["tests.said"]

# A busy machine is no failure. Each run draws other examples, so that many runs see more than one long one.
settings.register_profile("untimed", deadline=None, max_examples=40)
settings.load_profile("untimed")


_WAITING = ("campaigns", "jobs", "runtime")
"""Folders of tests that mostly wait for other processes."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector all that is imported and collected: it stays, and would be gone through each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ``make exhaustive`` take what ``make test`` leaves out."""
    parser.addoption(
        "--exhaustive", action="store_true", help="take every case of sampled tests, and the tests marked as exhaustive"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take a sample of the cases that hardly differ, always the same, and no second proof, unless all are asked for.

    Tests that wait for other processes come first, while others keep the processor busy.
    """
    numbers = Counter[str]()

    def taken(item: pytest.Item) -> bool:
        if config.getoption("exhaustive"):
            return True
        if item.get_closest_marker("exhaustive"):
            return False
        if not (sampled := item.get_closest_marker("sampled")):
            return True
        test = item.nodeid.partition("[")[0]
        numbers[test] += 1
        return (numbers[test] - 1) % int(sampled.kwargs.get("every", 1)) == 0

    items[:] = sorted(filter(taken, items), key=lambda item: item.path.parent.name not in _WAITING)


@pytest.fixture(scope="session", autouse=True)
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests share away from the user's own folders, lay out maps without umap, and start no idle helpers.

    Trainings take place in the process of a test unless it says how many others it wants: each of those takes longer
    to import its libraries than the small trainings of tests take together. Nothing is flushed to the disk, since no
    test pulls the plug, and the excerpt is parsed and packed once, though each test has a home of its own. The noise of
    private training is found with every tenth order, which `tests/statistics/test_privacy.py` compares with all.
    Encoders are loaded without a trial in a process of its own: `tests/encoders/test_hostile_folders.py` tests that.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TELLTALE_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("TELLTALE_DATA", raising=False)
        patch.setitem(sys.modules, "umap", umap)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(WikipediaExcerpt, "_parse", cache(WikipediaExcerpt._parse))
        patch.setattr(gzip, "compress", lru_cache(8)(gzip.compress))
        patch.setattr(trial, "attempt", lambda *_: None)
        patch.setattr(privacy, "_ORDERS", privacy._ORDERS[9::10])
        patch.setattr(Engine, "processes", property(lambda engine: engine.workers or 1))
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep every test away from the user's own folder."""
    folder = tmp_path / "home"
    monkeypatch.setenv("TELLTALE_HOME", str(folder))
    yield folder


@pytest.fixture
def store(home: Path, tmp_path: Path) -> Store:
    """A store without precomputed results."""
    return Store(root=home, shipped=tmp_path / "shipped")


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store without precomputed results that all tests of a file share."""
    folder = tmp_path_factory.mktemp("store")
    return Store(root=folder / "home", shipped=folder / "shipped")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A Dask scheduler and two workers, ready to work."""
    with ready(tmp_path) as cluster:
        yield cluster


@pytest.fixture
def private_steps(monkeypatch: pytest.MonkeyPatch) -> list["PrivateSteps"]:
    """What each private training of a test is given: norm, noise and owners."""
    from core.networks import private_steps

    given: list[PrivateSteps] = []

    def noted(*fields: Any) -> "PrivateSteps":
        given.append(made(*fields))
        return given[-1]

    made = private_steps.PrivateSteps
    monkeypatch.setattr(private_steps, "PrivateSteps", noted)
    return given


_ATTEMPT = trial.attempt


@pytest.fixture
def with_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try encoders in a process of their own, and as if none had been tried before."""
    monkeypatch.setattr(trial, "attempt", _ATTEMPT)
    monkeypatch.setattr(trial, "_passed", set())


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Install]:
    """Put a file among the attacks, for the time of the test."""
    with attack_files(tmp_path / "attacks") as install:
        yield install


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> OwnDocuments:
    """Documents of 40 owners with a planted leak."""
    return planted_documents(tmp_path_factory.mktemp("planted"))
