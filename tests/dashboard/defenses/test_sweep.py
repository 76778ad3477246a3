"""The figures of a setting beside those without a defense."""

import pytest

from core import catalog
from core.result import Estimate
from core.statistics.intervals import Interval
from dashboard.kit import both_adversaries, stored_results, sweeps
from dashboard.kit.figures.tables import records
from dashboard.topics.defenses import measured, sweep


@pytest.mark.parametrize(
    ("after", "change"), [(0.804, "−1 point"), (0.806, "−0.2 points"), (0.815, "1 point"), (0.91, "+10 points")]
)
def test_a_change_agrees_with_both_figures_as_written(after: float, change: str) -> None:
    def share(value: float) -> Estimate:
        return Estimate(value=value, low=value - 0.02, high=value + 0.02, chance=0.5, unit="share of texts")

    assert sweep._change(share(after), share(0.808), "utility", None)["delta"] == change


def test_a_change_of_an_area_is_told_in_points() -> None:
    before, after = (
        Estimate(value=value, low=value, high=value, chance=0.5, unit="probability") for value in (0.5, 0.6)
    )
    assert sweep._change(after, before, "auc", None)["delta"] == "+10 points"


def test_the_same_questions_tell_by_the_difference_of_their_answers_in_pairs() -> None:
    def share(value: float) -> Estimate:
        return Estimate(value=value, low=value - 0.05, high=value + 0.05, chance=0.5, unit="share of decisions")

    before, after = share(0.8), share(0.76)
    shown = sweep._change(after, before, "accuracy", Interval(-0.04, -0.065, -0.015))
    assert (shown["delta_color"], shown["delta_arrow"]) == ("green", "down"), "both intervals overlap, and yet"
    assert shown["delta_description"] == "in pairs (−7 to −1.5)", "the number stands before it, once"
    wide = sweep._change(after, before, "accuracy", Interval(-0.04, -0.1, 0.02))
    assert (wide["delta_color"], wide["delta_description"]) == ("gray", "not shown in pairs (−10 to 2)")
    other = sweep._change(after, before, "accuracy_naive", Interval(-0.04, -0.065, -0.015))
    assert other["delta_description"] == "not shown: intervals overlap", "its single answers are not stored"


def test_a_naive_twin_stands_beside_the_adversary_that_knows_the_defense() -> None:
    adaptive, naive = (catalog.matching(f"messages_{name}")[0] for name in ("token_dropping", "token_dropping_unaware"))
    (shown,) = (
        each for each in sweeps.in_catalogue() if adaptive.experiment in {one.experiment for one in each.settings}
    )
    (row,) = (row for row in records(measured.points(shown)) if row.defense.startswith("Token dropping"))
    assert row.adaptive == stored_results.estimates(adaptive.key)["accuracy"].value
    assert row.naive == stored_results.estimates(naive.key)["accuracy"].value
    assert sweep._setting(shown, measured.points(shown)).startswith(both_adversaries.NOTE)


def test_adversaries_are_explained_only_where_there_are_two() -> None:
    tables = [(each, measured.points(each)) for each in sweeps.in_catalogue()]
    alone = [(each, table) for each, table in tables if table["naive"].isna().all()]
    attacks = {each.settings[0].experiment.attack.part_name() for each, _ in alone}
    assert attacks >= {"secret_sharer", "recitation", "canary_extraction"}
    assert not any("adversary" in sweep._setting(each, table) for each, table in alone)
    told = [sweep._setting(each, table) for each, table in tables if table["naive"].notna().any()]
    assert told and all("naive" in text for text in told)
