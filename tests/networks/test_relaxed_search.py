"""The search finds the words of the lowest loss, and runs do not affect each other."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from core.attacks.canary_extraction import schedules_of
from core.networks.relaxed_search import Puzzles, Restarts, coordinate_descent, settle

TRUTH = np.array([[1, 4, 2], [0, 2, 2]])
COUNTS = np.array([5, 3])
SCHEDULES = list(schedules_of(250).values())


def puzzles() -> Puzzles:
    """Two secrets, of five and of three candidates; the loss is the distance from the vectors of the true words."""
    rng = np.random.default_rng(0)
    candidates = torch.from_numpy(rng.normal(size=(2, 5, 6)).astype(np.float32))
    candidates[1, 3:] = 0
    wanted = torch.stack([rows[row] for rows, row in zip(candidates, TRUTH, strict=True)])  # (puzzles, unknown, d)

    def losses(inputs: torch.Tensor, intents: Sequence[str], tags: Sequence[Sequence[str]]) -> torch.Tensor:
        rows = [int(intent) for intent in intents]
        return (inputs[:, :, 1:] - wanted[rows][:, None]).square().sum(dim=(2, 3))

    return Puzzles(torch.zeros(2, 1, 6), candidates, COUNTS, 3, ("0", "1"), (("O",) * 4,) * 2, losses)


def begin(several: Puzzles, runs: int = 3) -> Restarts:
    return Restarts.draw(several, SCHEDULES, runs, np.random.default_rng(1))


def test_every_schedule_finds_the_words_of_the_lowest_loss() -> None:
    settled, nearest = settle(puzzles(), SCHEDULES, begin(puzzles()), steps=250, every=50)
    for result in settled:
        assert (result.best()[1] == TRUTH).all()
        assert result.steps.tolist() == [0, 50, 100, 150, 200, 250]
        assert result.mixtures.sum(axis=-1) == pytest.approx(1, abs=1e-2)
    assert settled[1].mixtures[-1].max(axis=-1).min() > 0.95, "annealing ends at words, not at mixtures"
    assert (nearest == TRUTH[:, None]).all()


def test_empty_rows_are_never_selected() -> None:
    settled, nearest = settle(puzzles(), SCHEDULES, begin(puzzles()), steps=3, every=1)
    for result in settled:
        assert (result.words[1] < 3).all() and not result.mixtures[:, 1, ..., 3:].any()
    assert (nearest[1] < 3).all()
    assert (coordinate_descent(puzzles(), np.full((2, 1, 3), 2))[1] < 3).all()


def test_runs_do_not_affect_each_other() -> None:
    together, _ = settle(puzzles(), SCHEDULES, begin(puzzles()), steps=40, every=10)
    for number in range(2):
        for run in range(3):
            restart = np.s_[number : number + 1, run : run + 1]
            begun = begin(puzzles())
            count = COUNTS[number]
            alone, _ = settle(
                puzzles().only(number),
                SCHEDULES,
                Restarts(tuple(one[restart][..., :count] for one in begun.logits), begun.vectors[restart]),
                steps=40,
                every=10,
            )
            for mine, all_of_them in zip(alone, together, strict=True):
                assert mine.mixtures[:, 0, 0] == pytest.approx(
                    all_of_them.mixtures[:, number, run, :, :count], abs=1e-2
                )
                assert (mine.words[0, 0] == all_of_them.words[number, run]).all()


def test_coordinate_descent_never_gets_worse_and_ends_at_a_local_minimum() -> None:
    start = np.random.default_rng(2).integers(3, size=(2, 4, 3))
    ended = coordinate_descent(puzzles(), start)
    assert (puzzles().words_loss(ended) <= puzzles().words_loss(start)).all()
    assert (ended == TRUTH[:, None]).all(), "here each word has its own loss"


def test_the_loss_of_words_is_that_of_their_vectors() -> None:
    losses = puzzles().words_loss(TRUTH[:, None])
    assert losses == pytest.approx(np.zeros((2, 1)))
