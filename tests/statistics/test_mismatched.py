"""Answers dealt to other victims: every pair counts, one answer for all leads by nothing, a planted fit is found."""

import numpy as np

from core.runtime.seeding import generator
from core.statistics.mismatched import dealt


def test_every_answer_meets_the_truth_of_every_other_victim() -> None:
    rng = np.random.default_rng(1)
    guesses, truths = rng.integers(3, size=(2, 2, 9))
    pairs = [
        guess[i] == truth[j]
        for guess, truth in zip(guesses, truths, strict=True)
        for i in range(9)
        for j in range(9)
        if i != j
    ]
    comparison = dealt(guesses, truths, generator(1))
    assert np.isclose(comparison.mismatched.value, np.mean(pairs))
    assert np.isclose(comparison.lead.value, (guesses == truths).mean() - np.mean(pairs))


def test_the_same_answer_for_everyone_leads_by_nothing() -> None:
    truths = np.random.default_rng(2).choice(4, (5, 300), p=[0.5, 0.2, 0.2, 0.1])
    comparison = dealt(np.zeros_like(truths), truths, generator(1))
    assert comparison.lead.value == 0 and comparison.lead.low <= 0 < 0.4 < comparison.mismatched.low


def test_a_weak_fit_is_found_below_the_share_of_the_most_frequent_value() -> None:
    rng = np.random.default_rng(3)
    truths = rng.choice(4, (10, 800), p=[0.4, 0.2, 0.2, 0.2])
    uniform = rng.integers(4, size=truths.shape)
    fitting = np.where(rng.random(truths.shape) < 0.05, truths, uniform)
    weak, none = dealt(fitting, truths, generator(1)), dealt(uniform, truths, generator(1))
    assert weak.lead.low > 0 and weak.mismatched.value + weak.lead.value < 0.4
    assert none.lead.low <= 0 <= none.lead.high


def test_few_victims_have_an_interval() -> None:
    guesses = truths = np.array([[0, 1, 0]])
    comparison = dealt(guesses, truths, generator(1))
    assert np.isfinite([*comparison.lead, *comparison.mismatched]).all() and comparison.lead.high == 1
    alone = dealt(guesses[:, :1], truths[:, :1], generator(1))
    assert np.isnan(alone.lead.low) and np.isnan(alone.lead.high)
