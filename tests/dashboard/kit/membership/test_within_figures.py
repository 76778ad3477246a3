"""One target at a time beside all together: what the sentence says changes with the tables."""

import re

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.membership.figures import within

ATTACK = "word_pairs"


def tables(levels: float, leak: float, pooled: tuple[float, float, float]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return scores of 10 targets by 40 models, and the area that the game reports of all of them together."""
    rng = np.random.default_rng(0)
    plays, targets = np.indices((40, 10)).reshape(2, -1)
    member = rng.random(400) < 0.5
    score = leak * member + rng.normal(size=400) + levels * rng.normal(size=10)[targets]
    scores = pd.DataFrame({"target": targets, "size": 100, "play": plays, "member": member, "score": score})
    return scores, of_variant(ATTACK, pooled)


def of_variant(variant: str, pooled: tuple[float, float, float]) -> pd.DataFrame:
    """Return the row of the game's curve with the area of a variant's scores of all targets together."""
    area = dict(zip(("auc", "auc_low", "auc_high"), pooled, strict=True))
    return pd.DataFrame([{"variant": variant, "size": 100, "shadows": 10, "penalty": np.nan, "accuracy": 0.5, **area}])


def drawn(scores: pd.DataFrame, *curve: pd.DataFrame) -> pd.DataFrame:
    """Return the points, of an attack without corrected scores unless they are given."""
    return within.points(scores, pd.concat(curve), ATTACK)


@pytest.mark.parametrize(
    ("levels", "leak", "pooled", "hidden"),
    [(5.0, 3.0, (0.6, 0.5, 0.7), True), (0.0, 3.0, (0.97, 0.95, 0.99), False), (5.0, 0.0, (0.5, 0.4, 0.6), False)],
)
def test_a_leak_that_pooling_hides_is_told_and_no_other(
    levels: float, leak: float, pooled: tuple[float, float, float], hidden: bool
) -> None:
    shown = drawn(*tables(levels, leak, pooled))
    text = within.sentence(shown)
    assert ("rank worse" in text) == hidden
    assert ("differ in level or spread between targets" in text) == hidden
    assert ("is not shown" in text) != hidden
    assert set(shown["series"]) == {"alone", "together"} | ({"levelled"} if hidden else set())
    assert {trace.name for trace in within.figure(shown).data} >= {"all targets together"}


@pytest.mark.parametrize(
    ("levels_of_models", "verdict"),
    [(1.5, "rank better for 100 documents, beyond both intervals."), (0.0, "are not shown to rank better.")],
)
def test_what_documents_known_to_be_out_would_mend_is_drawn_and_told(levels_of_models: float, verdict: str) -> None:
    scores, final = tables(2.0, 3.0, (0.6, 0.5, 0.65 if levels_of_models else 0.95))
    levels = levels_of_models * np.random.default_rng(2).normal(size=40)
    shown = drawn(scores.assign(score=scores["score"] + levels[scores["play"]]), final)
    text = within.sentence(shown)
    assert re.search("Less the level .* show, all targets together " + verdict, text)
    levelled = "all together, less the level of each model"
    assert levelled in {trace.name for trace in within.figure(shown).data}
    hidden = drawn(*tables(0.0, 3.0, (0.97, 0.95, 0.99)))
    assert "Less the level" not in within.sentence(hidden), "together, targets rank no worse"
    assert levelled not in {trace.name for trace in within.figure(hidden).data}


def test_what_is_at_chance_below_it_or_of_few_targets_is_called_so() -> None:
    scores, final = tables(0.0, 0.0, (0.5, 0.4, 0.6))
    assert "The interval includes chance for 100 documents." in within.sentence(drawn(scores, final))
    turned, _ = tables(0.0, -3.0, (0.5, 0.4, 0.6))
    assert "For 100 documents that is below chance." in within.sentence(drawn(turned, final))
    few = within.sentence(drawn(scores[scores["target"] < 4], final))
    assert "averaged over 4 targets" in few and "describes these targets only" in few and "is not shown" not in few
    sided = scores.assign(member=scores["member"] | (scores["target"] == 0))
    assert "averaged over 9 targets" in within.sentence(drawn(sided, final))


def test_all_targets_together_may_rank_better() -> None:
    """Half of the targets are in most models and score high whatever the model holds."""
    scores, final = tables(0.0, 0.0, (0.9, 0.85, 0.95))
    often = scores["target"] < 5
    rng = np.random.default_rng(1)
    member = rng.random(len(scores)) < np.where(often, 0.9, 0.1)
    shown = drawn(scores.assign(member=member, score=scores["score"] + 5 * often), final)
    assert "rank better for 100 documents" in within.sentence(shown)


def test_targets_that_are_in_all_models_say_nothing() -> None:
    scores, final = tables(1.0, 1.0, (0.6, 0.5, 0.7))
    shown = drawn(scores.assign(member=True), final.assign(auc=np.nan, auc_low=np.nan))
    assert "No target is in the training data of some models" in within.sentence(shown)
    assert not within.figure(shown).data


def test_two_models_have_no_interval_and_it_is_said() -> None:
    scores, final = tables(0.0, 3.0, (0.9, 0.8, 0.95))
    two = scores[scores["play"] < 2].assign(member=lambda rows: (rows["play"] + rows["target"]) % 2 == 0)
    text = within.sentence(drawn(two, final))
    assert "10 targets" in text and "With so few models the AUC describes these models only" in text


@pytest.mark.parametrize(
    ("area", "comparison"),
    [
        ((0.9, 0.8, 0.95), "rank better for 100 documents, beyond both intervals."),
        ((0.7, 0.6, 0.8), "are not shown to rank better."),
        ((0.3, 0.2, 0.4), "rank worse for 100 documents, beyond both intervals."),
    ],
)
@pytest.mark.parametrize(
    ("variant", "correction", "name"),
    [
        ("target_ratio", "calibrated for each target on shadow models", "all together, calibrated for each target"),
        ("known_outs", "ranked among sets known to be out", "all together, beside sets known to be out"),
    ],
)
def test_what_a_correction_changes_is_told_beyond_both_intervals_only(
    variant: str, correction: str, name: str, area: tuple[float, float, float], comparison: str
) -> None:
    scores, final = tables(5.0, 3.0, (0.6, 0.5, 0.7))
    shown = drawn(scores, final, of_variant(variant, area))
    assert re.search(f"(?i){correction}.*, all targets together {comparison}", within.sentence(shown))
    assert not re.search(f"(?i){correction}", within.sentence(drawn(scores, final)))
    assert {trace.name for trace in within.figure(shown).data} >= {"all targets together", name}
