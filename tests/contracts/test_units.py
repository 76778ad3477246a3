"""Every unit of an estimate is on a scale that is declared, and estimates are written and tested by it."""

import json
from pathlib import Path

import pytest

from core.commands import summary
from core.result import Estimate
from core.statistics.measures import MEASURES
from core.statistics.power import least_detectable
from core.statistics.wording.units import SCALES, Scale, in_percent, scale

SHIPPED = sorted((Path(__file__).parents[2] / "precomputed").glob("*/result.json"))


def test_every_unit_of_a_stored_result_has_a_scale() -> None:
    assert SHIPPED
    units = {
        estimate["unit"] for path in SHIPPED for estimate in json.loads(path.read_text("utf-8"))["estimates"].values()
    }
    unknown = {unit for unit in units if unit not in SCALES and scale(unit) is not Scale.SHARE}
    assert not unknown, "core/statistics/wording/units.py has no scale for them"
    assert {measure.unit for measure in MEASURES.values()} <= units


def test_a_share_says_of_what_it_is_one() -> None:
    assert scale("share of pairs") is Scale.SHARE and in_percent("share of pairs")
    assert not any(unit.startswith("share") for unit in SCALES)


@pytest.mark.parametrize(
    ("unit", "line"),
    [
        ("share of pairs", "0.700   [0.600, 0.800]"),
        ("probability", "0.700   [0.600, 0.800]"),
        ("F1", "0.700   [0.600, 0.800]"),
        ("nDCG at 10, from 0 to 1", "0.700   [0.600, 0.800]"),
        ("bits", "0.700   [0.600, 0.800] bits"),
    ],
)
def test_the_command_line_names_the_unit_of_numbers_alone(unit: str, line: str) -> None:
    (written,) = summary.figures({"figure": Estimate(value=0.7, low=0.6, high=0.8, chance=None, unit=unit)})
    assert written.endswith(line)


def test_areas_and_shares_have_a_power_of_their_own() -> None:
    given = {"value": 0.6, "low": 0.5, "high": 0.7, "chance": 0.5, "members": 50, "nonmembers": 50}
    powers = {
        least_detectable(Estimate(**given, unit=unit)) for unit in ("share of decisions", "probability", "mean over")
    }
    assert len(powers) == 3
