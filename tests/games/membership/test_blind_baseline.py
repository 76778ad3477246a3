"""The blind baseline lies at chance where members are drawn by lot, and above it where texts tell them."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.games.membership.score import blind_baseline
from core.games.membership.score.blind_baseline import BlindBaseline, by_lengths, by_words

WORDS = 40
SIZES = (1, 3)


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> None:
    """Members are drawn anew as often as in any game."""


class Documents:
    """Documents of numbered words, as a briefing holds them."""

    def __init__(self, documents: list[NDArray[np.int32]]) -> None:
        self._documents = documents

    def counts(self) -> NDArray[np.int64]:
        return np.bincount(np.concatenate(self._documents), minlength=WORDS)

    def document(self, row: int) -> NDArray[np.int32]:
        return self._documents[row]

    def select(self, rows: list[int]) -> "Documents":
        return Documents([self._documents[row] for row in rows])

    def texts(self) -> list[list[str]]:
        return [[f"word{number}" for number in document] for document in self._documents]


def briefing(targets: int, rng: np.random.Generator, longer: NDArray[np.bool_] | None = None) -> Any:
    """Return targets of random words of one document each, or three; some may have twice as many words."""
    documents, drawn = [], []
    for target in range(targets):
        size = SIZES[target % len(SIZES)]
        length = 20 if longer is None or not longer[target] else 40
        drawn.append(SimpleNamespace(size=size, documents=range(len(documents), len(documents) + size)))
        documents += [rng.integers(WORDS, size=length + rng.integers(5)).astype(np.int32) for _ in range(size)]
    return SimpleNamespace(targets=drawn, corpus=Documents(documents))


def games(plays: int, targets: int, count: int) -> Iterator[BlindBaseline]:
    """Yield what the baseline decides in games in which exactly half of the targets are members of each play."""
    rng = np.random.default_rng(0)
    half = np.arange(targets) < targets // 2
    for seed in range(count):
        members = np.stack([rng.permutation(half) for _ in range(plays)])
        yield by_lengths(briefing(targets, rng), members, seed)


def test_by_lot_it_lies_neither_above_nor_below_chance() -> None:
    areas = [alone.decisions.value("auc") for alone in games(plays=3, targets=40, count=80)]
    assert abs(np.mean(areas) - 0.5) < 3 * np.std(areas) / len(areas) ** 0.5
    assert np.std(areas) < 0.1


def test_by_lot_its_intervals_exclude_chance_in_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blind_baseline, "REMARKED", 199)
    excluding = [
        name
        for alone in games(plays=8, targets=24, count=20)
        for name, figure in alone.figures(0, ["accuracy", "auc"], np.random.default_rng(1)).items()
        if not figure.low <= 0.5 <= figure.high
    ]
    assert len(excluding) <= 4, "five percent of 40, and what luck adds in five of a hundred runs"


def test_lengths_that_tell_members_in_every_play_are_found() -> None:
    rng = np.random.default_rng(0)
    longer = np.arange(40) % 4 < 2  # of both sizes
    flips = rng.random((5, 40)) < 0.2
    alone = by_lengths(briefing(40, rng, longer), longer ^ flips, seed=1)
    for size in (0, *SIZES):
        figures = alone.figures(size, ["accuracy", "auc", "advantage"], np.random.default_rng(1))
        assert figures["auc"].value > 0.7
        assert figures["accuracy"].value > 0.7
    assert alone.figures(0, ["auc"], np.random.default_rng(1))["auc"].low > 0.5


def test_the_bits_of_a_play_do_not_enter_its_own_scores() -> None:
    rng = np.random.default_rng(0)
    briefed, members = briefing(20, rng), rng.random((4, 20)) < 0.5
    changed = members.copy()
    changed[1] = ~changed[1]
    first, second = (by_lengths(briefed, bits, seed=1).decisions.score for bits in (members, changed))
    assert first[1] == pytest.approx(second[1])
    assert np.abs(first[0] - second[0]).max() > 1e-3


def test_bits_drawn_anew_keep_how_many_of_each_size_are_members() -> None:
    rng = np.random.default_rng(0)
    members = rng.random((4, 20)) < 0.5
    for how in (by_lengths, by_words):
        alone = how(briefing(20, np.random.default_rng(2)), members, seed=1)
        redrawn = list(alone.redrawn())
        assert len(redrawn) > 100
        for decisions in redrawn[:20]:
            assert (decisions.member.sum(axis=1) == members.sum(axis=1)).all()
        assert any((decisions.member != members).any() for decisions in redrawn[:5])
    sizes = alone.sizes
    for decisions in list(by_lengths(briefing(20, rng), members, seed=1).redrawn())[:20]:
        for size in SIZES:
            assert (decisions.member[:, sizes == size].sum(axis=1) == members[:, sizes == size].sum(axis=1)).all()
