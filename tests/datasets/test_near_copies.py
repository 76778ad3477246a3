"""Collections that are dealt into halves hold few near copies, so that no half tells of a document in the other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.datasets import Repetitive
from core.errors import DataUnavailable
from core.registry import parts
from core.text.contents import Documents
from core.text.corpus import words_of

RUN = 8
MOST = 0.05
"""Mailboxes hold more, as what a person sent lies in the inbox of another: these are read without them here."""

EVERY: tuple[Any, ...] = parts("dataset")
COLLECTIONS = [dataset for dataset in EVERY if dataset.holds is Documents and dataset().sources()]


def near_copies(texts: Sequence[str]) -> float:
    """Return the share of a random half's documents with over half of their runs of eight words in the other half."""
    documents = [_runs(texts[number]) for number in np.random.default_rng(0).permutation(len(texts))]
    half = len(documents) // 2
    seen = set().union(*documents[:half])
    return float(np.mean([len(runs & seen) > 0.5 * len(runs) for runs in documents[half:]]))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[first : first + RUN]) for first in range(max(1, len(words) - RUN + 1))}


def test_the_measure_finds_near_copies() -> None:
    rng = np.random.default_rng(1)
    stories = [" ".join("".join(word) for word in rng.choice(list("aeioulmnrst"), (40, 6))) for _ in range(50)]
    assert near_copies(stories) == 0
    assert near_copies([*stories, *(f"{story} and so on" for story in stories)]) == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("dataset", COLLECTIONS, ids=lambda dataset: dataset.part_name())
def test_few_documents_are_near_copies(dataset: Any, real_home: Path) -> None:
    try:
        documents = dataset(near_copies="left out").load() if issubclass(dataset, Repetitive) else dataset().load()
    except DataUnavailable as lacking:
        pytest.skip(str(lacking))
    assert near_copies(documents.texts) <= MOST
