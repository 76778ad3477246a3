"""Downstream accuracy: high for a planted task, and at chance for random labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import catalog
from core.defenses import Chain
from core.defenses.laplace import LaplaceNoise
from core.encoders.own_embeddings import OwnEmbeddings
from core.result import Result
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.targets import downstream_accuracy


class Counting(Progress):
    def __init__(self) -> None:
        self.stages: dict[str, list[int]] = {}

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.stages[name] = [done, total]

    def advance(self, items: int = 1) -> None:
        self.stages[list(self.stages)[-1]][0] += items


def embedded(labels: list[str], gap: float, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    classes = sorted(set(labels))
    centers = gap * np.random.default_rng(1).normal(size=(len(classes), 8))
    return np.array([centers[classes.index(label)] + rng.normal(size=8) for label in labels], dtype=np.float32)


def test_a_planted_task_is_learnt_and_random_labels_are_at_chance() -> None:
    labels = list(np.random.default_rng(0).choice(["a", "b", "c"], 400, p=[0.5, 0.3, 0.2]))
    planted = downstream_accuracy.measure(embedded(labels, 4.0), labels, np.random.default_rng(0))
    null = downstream_accuracy.measure(embedded(labels, 0.0), labels, np.random.default_rng(0))
    assert planted is not None
    assert null is not None
    assert planted.value > 0.95
    assert planted.above_chance()
    assert null.low <= (null.chance or 0)
    assert planted.decisions == 100
    assert planted.chance == pytest.approx(labels.count("a") / 400, abs=0.02), "the split is stratified"


def test_texts_without_a_class_are_left_out() -> None:
    labels = ["a", "b"] * 40
    vectors = embedded(labels, 3.0)
    alone = downstream_accuracy.measure(vectors, labels, np.random.default_rng(0))
    beside = downstream_accuracy.measure(
        np.concatenate([vectors, np.full((30, 8), 99, np.float32)]), [*labels, *[""] * 30], np.random.default_rng(0)
    )
    assert alone == beside


@pytest.mark.parametrize("labels", [[], ["a"] * 9, ["", "a", "a", "a", "a", "b"], ["a", "b", "c"]])
def test_without_two_classes_there_is_no_task(labels: list[str]) -> None:
    assert downstream_accuracy.measure(np.ones((len(labels), 8), np.float32), labels, np.random.default_rng(0)) is None


@given(counts=st.lists(st.integers(1, 9), min_size=2, max_size=12), seed=st.integers(0, 20))
@settings(max_examples=15)
def test_small_classes_break_nothing(counts: list[int], seed: int) -> None:
    labels = [f"class {number}" for number, count in enumerate(counts) for _ in range(count)]
    accuracy = downstream_accuracy.measure(embedded(labels, 1.0), labels, np.random.default_rng(seed))
    large = [count for count in counts if count >= 4]
    assert (accuracy is not None) == (len(large) >= 2)
    if accuracy is not None:
        assert f"of {len(large)}," in accuracy.help
        assert accuracy.low <= accuracy.value <= accuracy.high


def test_the_same_seed_gives_the_same_figure() -> None:
    labels = ["a", "b"] * 40
    first, second = (
        downstream_accuracy.measure(embedded(labels, 0.5), labels, np.random.default_rng(3)) for _ in range(2)
    )
    assert first == second


def stored(labels: list[str], gap: float, noise: float, seed: int = 0) -> OwnEmbeddings:
    return OwnEmbeddings(embedded(labels, gap, seed), Chain((LaplaceNoise(noise),), "laplace"), seed)


def test_a_service_that_tunes_learns_what_is_left_behind_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downstream_accuracy, "_REPEATS", 2)
    labels = list(np.random.default_rng(0).choice(["a", "b"], 160, p=[0.6, 0.4]))
    texts = stored(labels, 1.5, 2.0)
    fixed = downstream_accuracy.measure(texts.vectors, labels, np.random.default_rng(0))
    tuned = downstream_accuracy.tuned(texts, labels, np.random.default_rng(0), Progress())
    assert tuned is not None and fixed is not None
    assert tuned.above_chance() and tuned.value > fixed.value - 0.02
    assert tuned.decisions == 160, "every text is tested"
    assert tuned.chance == pytest.approx(labels.count("a") / 160)


def test_utility_is_not_below_the_majority_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downstream_accuracy, "_REPEATS", 1)
    progress = Counting()
    for seed in range(2):
        labels = list(np.random.default_rng(seed).choice(["a", "b"], 80, p=[0.6, 0.4]))
        accuracy = downstream_accuracy.tuned(
            stored(labels, 0.0, 1.0, seed), labels, np.random.default_rng(seed), progress
        )
        assert accuracy is not None and accuracy.chance is not None
        assert accuracy.chance <= accuracy.value < accuracy.chance + 0.03
        assert accuracy.low < accuracy.value <= accuracy.high
    assert progress.stages == {"Measuring downstream accuracy": [4, 4]}, "each fold is told, as it takes a while"


def test_a_service_that_learns_nothing_mostly_names_the_majority_class() -> None:
    named = []
    for seed in range(8):
        labels = np.random.default_rng(seed).choice(2, 80, p=[0.6, 0.4]).astype(np.int64)
        texts = stored(list(map(str, labels)), 0.0, 1.0, seed)
        predict = downstream_accuracy._chosen(texts, labels, np.random.default_rng(seed))
        named.append(bool((predict(texts.vectors) == np.bincount(labels).argmax()).all()))
    assert sum(named) >= 5


def test_a_classifier_that_does_worse_than_the_majority_class_is_worth_that_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = ["a"] * 60 + ["b"] * 40
    monkeypatch.setattr(downstream_accuracy, "_chosen", lambda *_: lambda released: np.ones(len(released), np.int64))
    accuracy = downstream_accuracy.tuned(stored(labels, 0.0, 1.0), labels, np.random.default_rng(0), Counting())
    assert accuracy is not None
    assert accuracy.value == accuracy.chance == 0.6
    assert 0.4 < accuracy.low < 0.6 < accuracy.high < 0.8, "the interval is that of naming the majority class"


@pytest.mark.parametrize("labels", [[], ["a"] * 9, ["", "a", "a", "a", "a", "b"]])
def test_without_two_classes_nothing_is_tuned(labels: list[str]) -> None:
    vectors = OwnEmbeddings(np.ones((len(labels), 8), np.float32))
    assert downstream_accuracy.tuned(vectors, labels, np.random.default_rng(0), Progress()) is None


def test_no_stored_utility_lies_below_the_majority_class() -> None:
    stored = (Result.load(Store(), entry.key, tables=False) for entry in catalog.entries())
    tuned = [
        result.estimates["utility"]
        for result in stored
        if result is not None and {"utility", "retrieval_recall_at_10"} <= result.estimates.keys()
    ]
    at_chance = [utility for utility in tuned if utility.value == utility.chance]
    assert (len(at_chance), len(tuned)) == (20, 95), "docs/intervals.md says so"
    assert all(utility.chance is not None and utility.value >= utility.chance for utility in tuned)
