"""Mixtures of words converge to the words of each text, whatever is after its end."""

import numpy as np
import pytest
import torch

from core.networks.relaxed_texts import Schedule, Settled, settle

SCHEDULE = Schedule(steps=120, hot=1.0, cold=0.05, learning_rate=0.1, recorded=4)
VECTORS = np.random.default_rng(0).normal(size=(20, 24)).astype(np.float32)
TEXTS = ([3, 5, 7], [1], [2, 9])


def mean(inputs: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """An encoder that returns the mean of its inputs."""
    read = torch.arange(inputs.shape[1]) < lengths[:, None]
    return (inputs * read[..., None]).sum(dim=1) / lengths[:, None]


def searched(rows: slice, positions: int = 3) -> Settled:
    texts = TEXTS[rows]
    targets = np.stack([VECTORS[text].mean(axis=0) for text in texts])
    start = np.random.default_rng(1).normal(0, 0.1, (len(TEXTS), 5, len(VECTORS))).astype(np.float32)
    return settle(mean, VECTORS, targets, np.array(list(map(len, texts))), start[rows, :positions], SCHEDULE)


def test_the_words_behind_a_mean_are_found() -> None:
    settled = searched(slice(None))
    assert [set(np.flatnonzero(shares > 0.5)) for shares in settled.shares] == list(map(set, TEXTS))
    assert (settled.mixed[-1] < 0.01).all() and (settled.spelt[-1] < 0.01).all()
    assert (settled.mixed[-1] < settled.mixed[0]).all()
    assert settled.mixed.shape == settled.spelt.shape == (4, 3)


def test_texts_do_not_affect_each_other() -> None:
    together = searched(slice(None))
    for row in range(len(TEXTS)):
        np.testing.assert_allclose(together.shares[row], searched(slice(row, row + 1)).shares[0], atol=1e-4)
    np.testing.assert_allclose(together.shares, searched(slice(None), positions=5).shares, atol=1e-4)


@pytest.mark.parametrize("steps", [1, 2, 50])
def test_the_temperature_falls_to_the_last_one(steps: int) -> None:
    schedule = Schedule(steps, hot=1.0, cold=0.05, learning_rate=0.1, recorded=12)
    temperatures = [schedule.temperature(step) for step in range(steps)]
    assert temperatures[0] == 1.0
    assert steps == 1 or temperatures[-1] == pytest.approx(0.05)
    assert sorted(temperatures, reverse=True) == temperatures
    assert schedule.marks[-1] == steps - 1 and len(schedule.marks) <= 12
