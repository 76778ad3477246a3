"""What every test stands on: a home of its own, and small documents whose leak is known."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.datasets.documents import Documents as OwnDocuments
from core.store import Store


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


@pytest.fixture
def planted(tmp_path: Path) -> OwnDocuments:
    """Documents of 40 owners, each of whom, and nobody else, says one phrase of four words again and again.

    All words are equally common, so that only their company tells an owner's documents from others.
    """
    rng = np.random.default_rng(0)
    starts, ends = (
        ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"],
        ["lan", "mer", "nis", "pok", "rut", "sev", "tig", "vol", "wex", "yam"],
    )
    words = np.array([start + end for start in starts for end in ends])
    rows = []
    for owner in range(40):
        phrase = rng.choice(words, 4, replace=False)
        for _ in range(12):
            text = rng.choice(words, 30)
            text[:16] = np.resize(phrase, 16)
            rows.append({"text": " ".join(text), "owner": f"owner {owner}"})
    path = tmp_path / "planted.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return OwnDocuments(source=str(path), owner_column="owner")
