"""What a defense costs and what is left to adversaries, in words: said only where intervals are apart."""

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from dashboard.topics.defenses.figures import costs, leaks

NAN = float("nan")
Ends = tuple[float, float, float]


def row(**measures: Ends) -> Any:
    """Return a row with measures and their intervals, and nothing further measured."""
    unknown = dict.fromkeys(("recall", "adaptive_lead", "naive_lead"), (NAN, NAN, NAN))
    ends = {
        name: dict(zip(("", "_low", "_high"), values, strict=True)) for name, values in {**unknown, **measures}.items()
    }
    columns = {f"{name}{end}": value for name, values in ends.items() for end, value in values.items()}
    chances = {f"{name}_chance": 0.5 for name in ("utility", "adaptive", "naive")} | {"recall_chance": 0.01}
    return SimpleNamespace(**columns, **chances, adaptive_found=0.4, naive_found=0.3, naive_right=0.1)


@pytest.mark.parametrize(
    ("utility", "beside", "change"),
    [
        ((0.7, 0.68, 0.72), "70% (68–72%), 10 points below the 80% (78–82%)", "goes from 80% to 70%"),
        ((0.9, 0.88, 0.92), "90% (88–92%), 10 points above the 80% (78–82%)", "goes from 80% to 90%"),
        ((0.77, 0.75, 0.78), "77% (75–78%), not shown to be lower than the", "is not shown to change (80% and 77%)"),
        ((0.8, 0.78, 0.82), "80% (78–82%), not shown to be lower than the", "is not shown to change (80% and 80%)"),
        ((0.83, 0.82, 0.84), "83% (82–84%), not shown to be lower than the", "is not shown to change (80% and 83%)"),
    ],
    ids=["below", "above", "meeting from below", "equal", "meeting from above"],
)
def test_a_utility_differs_where_intervals_are_apart(utility: Ends, beside: str, change: str) -> None:
    defended, before = row(utility=utility), row(utility=(0.8, 0.78, 0.82))
    assert costs.beside(defended, before).startswith(f"its utility is {beside}")
    assert costs.change(before, defended) == change
    assert "without a defense" not in costs.beside(defended, None)


@pytest.mark.parametrize(
    ("recall", "says"),
    [
        ((0.8, 0.78, 0.82), "still finds 80% (78–82%) of the ten nearest, 10 points fewer than without a defense"),
        ((0.97, 0.96, 0.98), "still finds 97% (96–98%) of the ten nearest, 7 points more than without a defense"),
        ((0.87, 0.86, 0.88), "still finds 87% (86–88%) of the ten nearest"),
        ((0.9, 0.88, 0.92), "still finds 90% (88–92%) of the ten nearest"),
        (
            (0.02, 0.01, 0.03),
            "finds 2% (1–3%) of the ten nearest, which is not shown to be more than chance, 1%, 88 points fewer than "
            "without a defense",
        ),
    ],
    ids=["fewer", "more", "meeting", "equal", "at chance"],
)
def test_a_search_finds_fewer_where_intervals_are_apart(recall: Ends, says: str) -> None:
    found, before = row(recall=recall), row(recall=(0.9, 0.88, 0.92))
    assert costs.of_search(found, before) == f"A search among these embeddings {says}"
    assert "without" not in costs.of_search(found, None)


@pytest.mark.parametrize(
    ("lead", "says"),
    [
        (
            (0.1, 0.05, 0.15),
            " Answers fit their own victims better than others, by 10.0 points (95% interval 5.0–15.0).",
        ),
        ((0.1, 0.0, 0.2), ""),
        ((-0.1, -0.2, 0.05), ""),
        ((NAN, NAN, NAN), ""),
    ],
)
def test_answers_fit_their_own_victims_where_the_whole_lead_is_above_0(lead: Ends, says: str) -> None:
    assert leaks.fit(row(adaptive_lead=lead), "adaptive") == says


LEAKING, HIDDEN, BELOW = (0.8, 0.75, 0.85), (0.5, 0.4, 0.6), (0.3, 0.2, 0.4)


@pytest.mark.parametrize(
    ("adaptive", "naive", "says"),
    [
        (LEAKING, (0.6, 0.55, 0.65), " So part of the protection depends on the defense being unknown."),
        (LEAKING, (0.7, 0.65, 0.75), ""),
        (LEAKING, LEAKING, ""),
        (LEAKING, BELOW, " That is less than chance: what it learnt without the defense misleads it here."),
        (LEAKING, (0.45, 0.4, 0.5), " So part of the protection depends on the defense being unknown."),
        (HIDDEN, BELOW, ""),
        ((0.53, 0.5, 0.56), BELOW, ""),
        (LEAKING, (0.9, 0.86, 0.94), " It exceeds the adaptive one, which is therefore not the strongest."),
        (LEAKING, (0.9, 0.85, 0.95), ""),
        (
            HIDDEN,
            (0.7, 0.65, 0.75),
            " It exceeds the adaptive one, which is therefore not the strongest. It exceeds chance: what is released "
            "still leaks.",
        ),
        (HIDDEN, (0.58, 0.55, 0.65), " It exceeds chance: what is released still leaks."),
        (HIDDEN, (0.55, 0.5, 0.65), ""),
    ],
)
def test_adversaries_are_compared_by_their_intervals(adaptive: Ends, naive: Ends, says: str) -> None:
    assert leaks.compared(row(adaptive=adaptive, naive=naive), "chance") == says


@pytest.mark.parametrize(
    ("lead", "says"),
    [
        (
            (0.2, 0.15, 0.25),
            " It exceeds its chance by more than the adaptive one, which is therefore not the strongest.",
        ),
        ((0.15, 0.12, 0.18), ""),
        ((0.05, 0.04, 0.06), " So part of the protection depends on the defense being unknown."),
    ],
)
def test_adversaries_with_leads_are_compared_by_these(lead: Ends, says: str) -> None:
    both = row(adaptive=LEAKING, naive=LEAKING, adaptive_lead=(0.1, 0.08, 0.12), naive_lead=lead)
    assert leaks.compared(both, "chance") == says


def test_a_threshold_no_longer_fits_where_more_is_found_and_less_of_it_is_right() -> None:
    below = row(adaptive=LEAKING, naive=BELOW)
    below.naive_found = below.adaptive_found
    assert "misleads it here" in leaks.compared(below, "chance")
    below.naive_found = 0.53
    assert leaks.compared(below, "chance") == (
        " That is less than chance: it finds 53% of the words, but of those that it names 10% are right. Its "
        "threshold, set on plain embeddings, no longer fits."
    )
    below.naive_chance = 0.45
    assert "less than its own chance: it finds" in leaks.compared(below, "chance")


def test_of_settings_with_equal_utility_the_one_that_hides_more_comes_first() -> None:
    known = pd.DataFrame({"utility": [0.6, NAN, 0.7, 0.7], "success": [0.1, 0.1, 0.4, 0.3]})
    assert costs.cheapest_first(known).index.tolist() == [3, 2, 0, 1]
    assert costs.cheapest_first(known[::-1]).index.tolist() == [3, 2, 0, 1], "whatever the order of the table"
