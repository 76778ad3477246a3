"""Reports on files named from one folder: written and verified in any other, they are the same."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.experiment import Experiment
from core.report import build, rendered, verify
from core.runtime.store import Store
from tests.dashboard.embedding_results import defended, result

ROUNDED = {"part": "quantisation", "bits": "8"}


def stored(store: Store, chance: float = 0.5, **changes: Any) -> str:
    """Store a made-up result on vectors that are named from the current folder, and return its key."""
    parts = {"attack": "multilabel_inversion", "dataset": {"part": "embeddings", "source": "vectors.npy"}}
    experiment = Experiment.parse({**parts, "model": "unknown_encoder", **changes})
    estimates = defended(chance, 0.8, *((0.1, 0.1) if experiment.defenses else ()))
    estimates["f1"] = estimates.pop("accuracy")
    result(experiment, estimates, {}).save(store, experiment.key)
    return experiment.key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with vectors, beside an empty one."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    np.save("vectors.npy", np.eye(4, dtype=np.float32))
    return tmp_path


def test_the_result_without_the_defense_is_found_from_any_folder(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [stored(store), stored(store, defenses=[ROUNDED])]
    page = rendered(build(keys, store), ".html")
    assert build(keys, store)["defenses"][0]["undefended"] == keys[0]
    monkeypatch.chdir(folder / "there")
    assert rendered(build(keys, store), ".html") == page
    assert verify(page, store).status == 0


def test_a_result_on_other_data_is_not_taken_for_it(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = stored(store, chance=0.4)
    np.save("vectors.npy", 2 * np.eye(4, dtype=np.float32))
    key = stored(store, defenses=[ROUNDED])
    for name in ("here", "there"):
        monkeypatch.chdir(folder / name)
        row = build([other, key], store)["defenses"][0]
        assert row["undefended"] is None and row["change"] is None
