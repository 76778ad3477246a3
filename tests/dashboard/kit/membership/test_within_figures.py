"""One target at a time beside all together: what the sentence says changes with the tables."""

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.membership.figures import within


def tables(levels: float, leak: float, pooled: tuple[float, float, float]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return scores of 10 targets by 40 models, and the area that the game reports of all of them together."""
    rng = np.random.default_rng(0)
    plays, targets = np.indices((40, 10)).reshape(2, -1)
    member = rng.random(400) < 0.5
    score = leak * member + rng.normal(size=400) + levels * rng.normal(size=10)[targets]
    scores = pd.DataFrame({"target": targets, "size": 100, "play": plays, "member": member, "score": score})
    return scores, pd.DataFrame([dict(zip(("size", "auc", "auc_low", "auc_high"), (100, *pooled), strict=True))])


@pytest.mark.parametrize(
    ("levels", "leak", "pooled", "hidden"),
    [(5.0, 3.0, (0.6, 0.5, 0.7), True), (0.0, 3.0, (0.97, 0.95, 0.99), False), (5.0, 0.0, (0.5, 0.4, 0.6), False)],
)
def test_a_leak_that_pooling_hides_is_told_and_no_other(
    levels: float, leak: float, pooled: tuple[float, float, float], hidden: bool
) -> None:
    shown = within.points(*tables(levels, leak, pooled))
    text = within.sentence(shown)
    assert ("rank worse" in text) == hidden
    assert ("differ in level or spread between targets" in text) == hidden
    assert ("is not shown" in text) != hidden
    assert set(shown["series"]) == {"alone", "together"}
    assert {trace.name for trace in within.figure(shown).data} >= {"all targets together"}


def test_what_is_at_chance_below_it_or_of_few_targets_is_called_so() -> None:
    scores, final = tables(0.0, 0.0, (0.5, 0.4, 0.6))
    assert "The interval includes chance for 100 documents." in within.sentence(within.points(scores, final))
    turned, _ = tables(0.0, -3.0, (0.5, 0.4, 0.6))
    assert "For 100 documents that is below chance." in within.sentence(within.points(turned, final))
    few = within.sentence(within.points(scores[scores["target"] < 4], final))
    assert "averaged over 4 targets" in few and "describes these targets only" in few and "is not shown" not in few
    sided = scores.assign(member=scores["member"] | (scores["target"] == 0))
    assert "averaged over 9 targets" in within.sentence(within.points(sided, final))


def test_all_targets_together_may_rank_better() -> None:
    """Half of the targets are in most models and score high whatever the model holds."""
    scores, final = tables(0.0, 0.0, (0.9, 0.85, 0.95))
    often = scores["target"] < 5
    rng = np.random.default_rng(1)
    member = rng.random(len(scores)) < np.where(often, 0.9, 0.1)
    shown = within.points(scores.assign(member=member, score=scores["score"] + 5 * often), final)
    assert "rank better for 100 documents" in within.sentence(shown)


def test_targets_that_are_in_all_models_say_nothing() -> None:
    scores, final = tables(1.0, 1.0, (0.6, 0.5, 0.7))
    shown = within.points(scores.assign(member=True), final.assign(auc=np.nan, auc_low=np.nan))
    assert "No target is in the training data of some models" in within.sentence(shown)
    assert not within.figure(shown).data


def test_two_models_have_no_interval_and_it_is_said() -> None:
    scores, final = tables(0.0, 3.0, (0.9, 0.8, 0.95))
    two = scores[scores["play"] < 2].assign(member=lambda rows: (rows["play"] + rows["target"]) % 2 == 0)
    text = within.sentence(within.points(two, final))
    assert "10 targets" in text and "With so few models the AUC describes these models only" in text
