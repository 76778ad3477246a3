"""Both adversaries behind a defense: the sentence says by the table which is right more often."""

import pytest

from core.result import Estimate
from dashboard.kit.figures import both_adversaries
from tests.dashboard.samples import has_chance

HALF = 0.03
UNDECIDED = ", nor is it excluded: the intervals of their accuracy overlap."


def right(value: float) -> Estimate:
    return Estimate(
        value=value, low=value - HALF, high=value + HALF, chance=0.5, unit="share", members=60, nonmembers=60
    )


def figures(value: float, auc: float | None = None, called: float = 0.4, size: str = "") -> dict[str, Estimate]:
    return {
        f"accuracy{size}": right(value),
        f"auc{size}": right(value if auc is None else auc),
        f"called{size}": Estimate.counted(called, "share", "", 120),
    }


def both(adaptive: dict[str, Estimate], naive: dict[str, Estimate]) -> dict[str, Estimate]:
    return adaptive | {f"{name}_naive": estimate for name, estimate in naive.items()}


def behind(defense: str, adaptive: float, naive: float) -> tuple[str, dict[str, Estimate]]:
    return defense, both(figures(adaptive), figures(naive))


def said(*defended: tuple[str, dict[str, Estimate]]) -> str:
    return both_adversaries.sentence(both_adversaries.points(defended))


@pytest.mark.parametrize(
    ("adaptive", "naive", "says"),
    [
        (0.7, 0.6, "The adaptive adversary is right more often behind dropout."),
        (0.6, 0.7, "The naive adversary is right more often behind dropout: plan for that one there."),
        (0.62, 0.6, f"Neither is shown to be right more often behind dropout{UNDECIDED}"),
        (0.6, 0.62, f"Neither is shown to be right more often behind dropout{UNDECIDED}"),
    ],
)
def test_who_is_right_more_often_is_said_by_the_intervals(adaptive: float, naive: float, says: str) -> None:
    text = said(behind("Dropout", adaptive, naive))
    areas = " and ".join(f"{each:.2f} ({each - HALF:.2f}–{each + HALF:.2f})" for each in (adaptive, naive))
    assert text.startswith(f"{says} The adaptive and the naive one are right in {100 * adaptive:.0f}% (")
    assert f" and {100 * naive:.0f}% (" in text
    assert text.endswith(f"of 120 decisions behind dropout, with AUCs of {areas}; chance is 50%, and 0.50 for the AUC.")


def test_defenses_are_told_apart() -> None:
    text = said(behind("Dropout", 0.7, 0.6), behind("Rounding", 0.6, 0.7), behind("Noise", 0.6, 0.6))
    assert "adaptive adversary is right more often behind dropout." in text
    assert "naive adversary is right more often behind rounding: plan" in text
    assert f"right more often behind noise{UNDECIDED}" in text
    alike = behind("Noise", 0.6, 0.6), behind("Rounding", 0.61, 0.6)
    assert said(*alike).startswith(f"Neither is shown to be right more often behind each{UNDECIDED}")
    assert said(*alike, behind("Dropout", 0.7, 0.6)).startswith(
        "The adaptive adversary is right more often behind dropout. Neither is shown to be right more often behind "
        f"the others{UNDECIDED}"
    )


@pytest.mark.parametrize(
    ("called", "says"),
    [
        (0.0, "The naive one calls no target a member behind dropout: one constant answer, whose accuracy says"),
        (1.0, "The naive one calls every target a member behind dropout: one constant answer, whose accuracy says"),
        (0.058, ""),
    ],
)
def test_decisions_that_are_all_alike_are_told(called: float, says: str) -> None:
    text = said(("Dropout", both(figures(0.7), figures(0.5, called=called))))
    assert says in text and ("constant" in text) == bool(says) and "The adaptive one calls" not in text


def test_a_ranking_above_chance_is_told_where_decisions_are_not() -> None:
    ranks = "The naive one exceeds chance by its AUC alone behind dropout: its scores still tell members from others."
    assert said(("Dropout", both(figures(0.7), figures(0.52, 0.79)))).endswith(ranks)
    assert "by its AUC" not in said(("Dropout", both(figures(0.7), figures(0.52, 0.52)))), "nor does its AUC"
    assert "by its AUC" not in said(("Dropout", both(figures(0.7), figures(0.6, 0.79)))), "so do its decisions"
    text = said(("Dropout", both(figures(0.52, 0.6), figures(0.52))), ("Noise", both(figures(0.52, 0.6), figures(0.7))))
    assert text.endswith(
        "The adaptive one exceeds chance by its AUC alone behind dropout and noise: its scores still tell members from "
        "others."
    )


def test_each_size_of_a_target_has_a_row() -> None:
    each = figures(0.6, size="_1") | figures(0.6, size="_20")
    sized = both(each, each)
    table = both_adversaries.points([("Dropout", sized)])
    assert table["row"].tolist() == ["Dropout, 1 document"] * 2 + ["Dropout, 20 documents"] * 2
    assert table["series"].tolist() == ["adaptive", "naive"] * 2


def test_which_shadow_models_it_takes_is_said_by_the_figures_of_both() -> None:
    def each(attack: float, rmia: float, offline: float = 0.8) -> dict[str, Estimate]:
        others = {"_rmia": rmia, "_offline_ratio": offline, "_loss": 0.6}
        return figures(attack) | {
            name: figure for size, value in others.items() for name, figure in figures(value, size=size).items()
        }

    judge = "The other kind may do better on the target models: judge a defense by the stronger adversary."
    own = "did at least as well on its own texts"
    behind_it = f"It used the shadow models behind the defense for every statistic, which {own}. {judge}"
    known = each(0.7, 0.7, 0.7)
    assert both_adversaries.kinds([("Dropout", both(known, each(0.6, 0.6)))]) == behind_it
    first, second = ("Dropout", both(known, each(0.6, 0.7))), ("Noise", both(known, each(0.7, 0.6, 0.7)))
    assert both_adversaries.kinds([first, second]) == (
        "It used the shadow models without the defense behind dropout for RMIA; behind noise for the likelihood ratio "
        f"and the offline likelihood ratio, which did better on its own texts. {judge}"
    )
    ranks_otherwise = known | figures(0.7, 0.6, size="_rmia")
    assert both_adversaries.kinds([("Dropout", both(ranks_otherwise, each(0.6, 0.7)))]) == behind_it
    assert both_adversaries.kinds([behind("Dropout", 0.7, 0.7)]) == "", "it has no such statistics"


def test_both_are_drawn_beside_chance() -> None:
    figure = both_adversaries.figure(both_adversaries.points([behind("Dropout", 0.7, 0.6)]))
    assert has_chance(figure)
    drawn = {trace.name: trace.x[0] for trace in figure.data if trace.showlegend}
    assert drawn == {"Adaptive adversary: knows the defense": 0.7, "Naive adversary: does not": 0.6}


def test_without_a_result_that_is_said() -> None:
    assert said() == "No result of both adversaries is computed yet."
    assert both_adversaries.figure(both_adversaries.points([])).layout.annotations
