"""A store that has grown is recognised by its first rows; any other is audited afresh."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.audits import growth
from core.datasets.embeddings import Embeddings
from core.errors import InvalidVectors
from core.runtime.folders import home

VALUES = np.random.default_rng(1).normal(size=(200, 4)).astype(np.float32)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    def written(rows: int, values: np.ndarray = VALUES, text: str = "text", **fields: Any) -> Embeddings:
        np.save(tmp_path / "x.npy", values[:rows])
        (tmp_path / "x.csv").write_text("\n".join(["text", *(f"{text} {row}" for row in range(rows))]))
        return Embeddings(source=str(tmp_path / "x.npy"), texts=str(tmp_path / "x.csv"), **fields)

    return written


def from_rows(dataset: Embeddings) -> int:
    """Return from how many rows it has grown; it is remembered as audited."""
    recognised, sample = growth.recognised(dataset, vectors := dataset.load())
    assert sample.grown_from == recognised.grown_from
    growth.remember(recognised, vectors)
    return recognised.grown_from


@pytest.mark.parametrize("sample", [10_000, 30])
def test_it_is_recognised_until_it_has_grown_by_a_tenth(store: Any, sample: int) -> None:
    assert [from_rows(store(rows, sample=sample)) for rows in (100, 100, 101, 110)] == [0, 0, 100, 100]
    assert [from_rows(store(rows, sample=sample)) for rows in (111, 112, 100)] == [0, 111, 0]
    (record,) = (home() / "audited_stores").iterdir()
    assert set(json.loads(record.read_text())) == {"rows", "sample"}, "no text is kept"
    record.write_text("{")
    assert from_rows(store(101, sample=sample)) == 0, "what is damaged counts as absent"


def test_other_rows_other_texts_or_another_sample_are_another_store(store: Any) -> None:
    assert from_rows(store(100)) == 0
    assert from_rows(store(101, text="other")) == 0
    changed = VALUES.copy()
    changed[50] += 1
    assert from_rows(store(101)) == 0, "the one that was remembered last had other texts"
    assert from_rows(store(102, changed)) == 0
    assert from_rows(store(103, changed, sample_seed=5)) == 0
    assert from_rows(store(103, changed, grown_from=90)) == 90, "one that is named is taken"


def test_the_sample_of_a_grown_store_is_that_of_all_rows_and_keeps_the_earlier_one(store: Any) -> None:
    before, all_rows = store(190, sample=30).load(), store(200, sample=30).load()
    grown = store(200, sample=30, grown_from=190).load()
    assert set(grown.rows) == set(before.rows) | set(all_rows.rows)
    assert set(grown.displaced) == set(before.rows) - set(all_rows.rows) != set()
    assert np.array_equal(grown.values, VALUES[grown.rows])
    assert store(200).key != store(200, grown_from=190).key
    assert "grown_from" not in store(200).identity(), "results from before there was a choice keep their keys"
    with pytest.raises(InvalidVectors, match=r"has 200 rows, fewer than it is said to have grown from\. Got 201"):
        store(200, grown_from=201).load()
