"""More shadow models take more time, not more memory."""

import tracemalloc
from pathlib import Path

from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.runtime.store import Store
from tests.stand_ins import RandomVectors, context

MEGABYTE = 10**6


def play(planted: Documents, pairs: int, folder: Path) -> Store:
    """Run an experiment with so many pairs of shadow models, and return the store with its trainings."""
    store = Store(root=folder / "home", shipped=folder / "shipped")
    experiment = Experiment.parse(
        {
            "attack": {"part": "word_pairs", "shadow_pairs": pairs, "baselines": False},
            "dataset": planted,
            "model": RandomVectors(dimension=1024, minimum_count=2),
            "game": {"target_sizes": [10], "targets": 2, "plays": 2, "documents": 100},
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
    few, _ = peak_and_returned(planted, 2, tmp_path / "few")
    many, returned = peak_and_returned(planted, 32, tmp_path / "many")
    assert returned > 25 * MEGABYTE, "it would show if all of it were kept"
    assert many < few + 8 * MEGABYTE
