"""The figures that the commands run and show print: a unit stands where neither the value nor the name says it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.commands import summary
from core.result import Estimate
from core.runtime.store import SHIPPED
from core.statistics.wording import CONSTANT


def figure(value: float, unit: str, **fields: Any) -> Estimate:
    given = {"value": value, "low": 0.9 * value, "high": 1.1 * value, "chance": None, "unit": unit}
    return Estimate.model_validate(given | fields)


@pytest.mark.parametrize(
    ("name", "estimate", "says"),
    [
        ("exposure_4", figure(4.0, "bits", chance=1.44, decisions=24), "4.000 [3.600, 4.400] bits chance 1.44 n 24"),
        ("perplexity_test", figure(50.0, "tokens", chance=2048), "50.000 [45.000, 55.000] tokens chance 2,048"),
        ("perplexity", figure(5.0, "pieces", low=5.0, high=5.0, chance=800.0), f"5.000 pieces {CONSTANT} chance 800"),
        ("minutes_asked", figure(3.0, "minutes"), "3.000 [2.700, 3.300]"),
        ("assumed_settings", figure(4.0, "hyper-parameters", low=4.0, high=4.0), "4 hyper-parameters"),
        ("queries_loss", Estimate.queries(10760.0, "Words."), "10,760"),
        ("bleu_clinic", figure(20.0, "BLEU"), "20.000 [18.000, 22.000]"),
        ("epsilon_at_least", figure(2.0, "epsilon", chance=0.0), "2.000 [1.800, 2.200] chance 0"),
        ("accuracy", figure(0.5, "share of decisions", chance=0.5), "0.500 [0.450, 0.550] chance 0.5"),
        ("auc", figure(0.5, "probability", chance=0.5), "0.500 [0.450, 0.550] chance 0.5"),
        ("cosine", figure(0.5, "mean over victims, from -1 to 1"), "0.500 [0.450, 0.550]"),
    ],
)
def test_a_unit_stands_behind_a_value_that_would_not_be_understood(name: str, estimate: Estimate, says: str) -> None:
    (line,) = summary.figures({name: estimate})
    assert " ".join(line.split()) == f"{name} {says}"


def test_figures_stand_below_each_other_however_long_their_names_are() -> None:
    lines = summary.figures(
        {"auc": figure(0.5, "probability"), "tpr_at_1pct_fpr_of_the_least_likely": figure(0.5, "share")}
    )
    assert len({line.index("[") for line in lines}) == 1


def test_no_stored_figure_above_one_stands_without_a_unit() -> None:
    paths = sorted(SHIPPED.glob("*/result.json"))
    assert len(paths) > 400
    for path in paths:
        for name, estimate in estimates(path).items():
            (line,) = summary.figures({name: estimate})
            named = estimate.unit.lower() in name
            assert abs(estimate.value) <= 1 or named or f" {estimate.unit}" in line, (path.parent.name, line)


def estimates(path: Path) -> dict[str, Estimate]:
    read = json.loads(path.read_text("utf-8"))["estimates"]
    return {name: Estimate.model_validate(values) for name, values in read.items()}
