"""More shadow models take more time, not more memory."""

import tracemalloc
from pathlib import Path

import pytest

from core.adversaries.pairs.evidence import SCHEMAS
from core.attacks import word_pairs
from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.result import table
from core.runtime.store import Store
from tests.stand_ins import RandomVectors, context

MEGABYTE = 10**6


@pytest.fixture(autouse=True)
def without_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no maps of words: they take most of the time, and as much memory however many shadow models there are."""
    monkeypatch.setattr(word_pairs, "map_table", lambda *_: table(SCHEMAS["word_map"], []))


def play(planted: Documents, pairs: int, folder: Path) -> Store:
    """Run an experiment with so many pairs of shadow models, and return the store with its trainings."""
    store = Store(root=folder / "home", shipped=folder / "shipped")
    experiment = Experiment.parse(
        {
            "attack": {"part": "word_pairs", "shadow_pairs": pairs, "baselines": False},
            "dataset": planted,
            "model": RandomVectors(dimension=1024, minimum_count=2),
            "game": {"target_sizes": [10], "targets": 5, "plays": 2, "documents": 100},
        }
    )
    run(experiment, context(store))
    return store


def peak_and_returned(planted: Documents, pairs: int, folder: Path) -> tuple[int, int]:
    """Return the bytes that a run takes at most, and the bytes of what its trainings return."""
    tracemalloc.start()
    try:
        store = play(planted, pairs, folder)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak, sum(path.stat().st_size for path in store.root.glob("parts/*/*.npz"))


def test_peak_memory_does_not_grow_with_the_number_of_shadow_models(planted: Documents, tmp_path: Path) -> None:
    play(planted, 2, tmp_path / "imports")  # they take more memory than either run
    few, _ = peak_and_returned(planted, 4, tmp_path / "few")
    many, returned = peak_and_returned(planted, 32, tmp_path / "many")
    assert returned > 45 * MEGABYTE, "it would show if all of it were kept"
    assert many < few + 15 * MEGABYTE
