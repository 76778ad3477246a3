"""Defenses against reading secrets: drawn beside the paper's, with their cost, and judged by what the memory tells."""

from dataclasses import replace
from functools import cache

import pandas as pd
import pytest

from core.experiment import Experiment
from dashboard.topics.canaries.figures import defenses, utility
from dashboard.topics.canaries.figures import memory as canary_memory
from dashboard.topics.canaries.figures.defenses import PLAIN, VIEWS, noise
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.samples import has_chance, texts, titles

TIMES = (10, 500, 1000)
LONGER = f"{PLAIN}, for 60 epochs"
PRIVATE, SAME = "Private training, epsilon 8", f"{PLAIN}, in batches of 512"


def bare():
    return extracted(repetitions=(0, 1, *TIMES))


def dropout():
    return extracted(repetitions=TIMES, defenses=("dropout",))


def everyone():
    return [extracted(repetitions=TIMES, defenses=("dropout", "early_stopping"), good=False), dropout(), bare()]


@cache
def of_everyone(view, printed):
    return defenses.points(everyone(), view, printed=printed)


def of(view="paper", results=None, pattern="pin", printed=True):
    shown = of_everyone(view, printed) if results is None else defenses.points(results, view, printed=printed)
    return shown[shown["pattern"] == pattern]


@cache
def one_memory():
    return canary_memory.points([bare()]).head(1)


def memory(*rows):
    """Return what is known of each defense: its name, and whether the attack is stopped and the memory gone; a rank."""
    shown = one_memory()
    named = [dict(zip(("row", "stopped", "gone", "rank"), row, strict=True)) for row in rows]
    return pd.concat([shown.assign(**row) for row in named], ignore_index=True)


def test_rows_are_ordered_and_the_undefended_is_shown_as_often_as_the_others():
    shown = of()
    ours = shown[~shown["printed"]]
    assert list(dict.fromkeys(ours["row"])) == [PLAIN, "Dropout (D)", "D + ES"]
    assert set(ours["repetitions"]) == set(TIMES)
    printed = shown[shown["printed"]]
    assert len(printed) == 7 * 3 and set(printed["row"]) > {"D + ES + CE", "ES + CE"}
    assert list(dict.fromkeys(shown["row"]))[-1] == "D + ES + CE"
    assert not of("exposure")["printed"].any() and not of(printed=False)["printed"].any()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("results", [list, lambda: [bare()], lambda: None], ids=["none", "bare", "every"])
def test_each_view_is_drawn_with_chance_and_the_papers_values_hollow(view, results):
    shown = of(view, results())
    figure = defenses.figure(shown, view)
    if shown.empty:
        assert texts(figure) == ["Not computed yet."]
        return
    assert has_chance(figure)
    hollow = [trace for trace in figure.data if trace.marker.symbol.endswith("-open")]
    assert len(hollow) == (0 if view == "exposure" else 3) and sum(trace.showlegend for trace in hollow) <= 1
    assert titles(figure) == ["Exposure of the true secret (bits)" if view == "exposure" else "Share of wrong words"]
    assert ("ranks first" in texts(figure)) == (view == "exposure")
    sentence = defenses.sentence(shown, view)
    assert ("Hollow marks are the paper’s (Table 3" in sentence) == bool(hollow)
    ours = shown[~shown["printed"]]
    assert bool(len(ours)) == (" network" in sentence), "how many networks a mark is of"


def test_a_pattern_is_read_aloud():
    sentence = defenses.sentence(of("exposure"), "exposure")
    assert sentence.startswith("Without a defense, shown 10, 500 and 1,000 times:")
    assert "Not shown to be better than chance: D + ES. Each mark is a mean over " in sentence
    ours = defenses.sentence(of("exposure", [bare(), dropout()]), "exposure")
    assert (
        "With every defense and any number of repetitions, the result is better than chance. Each mark is a mean over "
        in ours
    )
    assert "No defense is computed yet. Each filled mark is a mean over " in defenses.sentence(
        of(results=[bare()]), "paper"
    )
    assert defenses.sentence(of(results=[]), "paper").startswith("Our result is not computed yet")


@pytest.mark.parametrize(
    ("view", "ends", "shown_better"),
    [
        ("exposure", (2.1, 9.0), True),
        ("exposure", (2.0, 9.0), False),
        ("paper", (0.1, 0.4), True),
        ("paper", (0.1, 0.5), False),
        ("paper", (0.6, 0.9), False),
    ],
)
def test_a_defense_is_named_where_its_interval_reaches_chance(view, ends, shown_better):
    shown = of(view, printed=False)
    better = (3.0, 9.0) if view == "exposure" else (0.0, 0.2)
    planted = shown.assign(chance=2.0 if view == "exposure" else 0.5, low=better[0], high=better[1])
    planted.loc[planted["row"] == "D + ES", ["low", "high"]] = ends
    sentence = defenses.sentence(planted, view)
    assert ("With every defense and any number of repetitions, the result is better" in sentence) == shown_better
    assert ("Not shown to be better than chance: D + ES. " in sentence) != shown_better


def test_some_of_the_repetitions_are_named():
    shown = of("exposure", printed=False)
    some = shown[(shown["row"] == "D + ES") & (shown["repetitions"] < 1000)]
    assert defenses.cases(some, shown) == "D + ES (shown 10 and 500 times)"
    assert defenses.cases(shown, shown) == "every defense"


def test_settings_of_its_own_are_in_the_name_of_a_defense():
    values = dropout().experiment
    strong = Experiment.parse({**values, "defenses": [{"part": "dropout", "inputs": 0.5}]})
    private = Experiment.parse({**values, "defenses": [{"part": "dp_sgd", "epsilon": 8}]})
    assert defenses.defense_name(strong) == "Dropout (D), inputs 0.5"
    assert defenses.defense_name(private) == "Private training, epsilon 8"


def test_only_the_papers_repetitions_are_shown_without_any_defense():
    assert defenses.repetitions([bare()]) == [10, 500, 1000]
    assert defenses.repetitions([extracted(defenses=("dropout",))]) == [10, 100]


def test_the_cost_is_drawn_beside_and_judged_by_the_intervals():
    shown = utility.points(everyone())
    figure = utility.figure(shown)
    assert list(figure.layout.yaxis.ticktext) == [PLAIN, "Dropout (D)", "D + ES"]
    assert sum(shape.name == "plain" for shape in figure.layout.shapes) == 2
    assert "dotted: no defense" in texts(figure)
    assert utility.sentence(shown).endswith("No defense reduces it beyond both intervals.")
    worse = dropout().estimates["slot_f1"].model_copy(update={"value": 0.5, "low": 0.4, "high": 0.6})
    poor = replace(dropout(), estimates={**dropout().estimates, "slot_f1": worse})
    sentence = utility.sentence(utility.points([bare(), poor]))
    assert sentence.endswith("both intervals by Dropout (D) alone: it costs 41.0 points of slot F1.")
    assert "not computed" in utility.sentence(utility.points([bare()]))
    assert texts(utility.figure(utility.points([]))) == ["Not computed yet."]


def test_memory_is_known_of_every_defense_and_number_of_repetitions():
    shown = canary_memory.points(everyone())
    assert len(shown) == 9 and shown[shown["row"] == "D + ES"]["gone"].all()
    assert not shown[shown["row"] == PLAIN]["gone"].any()
    listed = canary_memory.listed(shown)
    assert listed["defense"].tolist() == [PLAIN, "Dropout (D)", "D + ES"]
    assert listed["times shown"].unique().tolist() == ["10 · 500 · 1,000"]
    assert listed["true secret, by the loss"].iloc[-1] == "not shown above chance"
    ranks = memory(("first", False, False, 1.0), ("lower", False, False, 1.5), ("gone", False, True, 1.0))
    standing = ["ranks first", "above chance", "not shown above chance"]
    assert canary_memory.listed(ranks)["true secret, by the loss"].tolist() == standing
    one = canary_memory.points([extracted(patterns=("pin",), defenses=("dropout",))])
    assert len(one) == 2, "a single pattern stands for all"


@pytest.mark.parametrize(
    ("rows", "ends"),
    [
        (
            [("A", True, False, 1.0)],
            "Over all patterns together, it is not shown to be better than chance with every defense. Even there, the "
            "exposure stays above chance: the network still remembers the secrets. The median rank of the true secret "
            "is 1 with every defense.",
        ),
        ([("A", True, True, 4000.0)], "no memory is shown."),
        ([("A", False, False, 1.0)], "The median rank of the true secret is 1 with every defense."),
        ([("A", False, False, 9.0)], "Over all patterns together, it stays better than chance with every defense."),
        (
            [("A", True, False, 9.0), ("B", True, True, 4000.0)],
            "Of these, A leaves the exposure above chance: the network still remembers.",
        ),
        (
            [("A", True, False, 9.0), ("B", False, False, 1.0)],
            "Over all patterns together, it is not shown to be better than chance with A only. Even there, the "
            "exposure stays above chance: the network still remembers the secrets.",
        ),
        (
            [("Private training, epsilon 8", True, True, 9.0), ("D + ES", False, False, 9.0)],
            "Over all patterns together, it is not shown to be better than chance with private training at epsilon 8 "
            "only. Nor is the exposure shown to be above chance there: no memory is shown.",
        ),
    ],
)
def test_the_conclusion_follows_the_data(rows, ends):
    lines = canary_memory.conclusion(memory((PLAIN, False, False, 1.0), *rows))
    assert len(lines) > 1, "a line for each thing said"
    conclusion = " ".join(lines)
    assert (
        "this share of the secrets’ words wrong:" in conclusion
        and "% (shown 10 times). " in conclusion
        and conclusion.endswith(ends)
    )
    longest = max(len(sentence.split()) for sentence in conclusion.split(". "))
    assert longest <= 25, "read once"


def test_a_pattern_at_chance_is_not_hidden_in_the_mean_of_all():
    shown = memory((PLAIN, False, False, 1.0), ("A", True, False, 9.0))
    assert "Of single patterns" not in " ".join(canary_memory.conclusion(shown.assign(hidden="")))
    conclusions = canary_memory.conclusion(shown.assign(hidden=["", "PIN"]))
    assert conclusions[-1] == (
        "Of single patterns, the exposure of PIN is not shown to exceed chance (A, shown 10 times)."
    )
    assert "(1.7–6.4)" in canary_memory.listed(shown.assign(least=1.7, most=6.4)).to_string()


def test_an_attack_that_never_works_is_not_stopped_by_anything():
    conclusions = canary_memory.conclusion(memory((PLAIN, True, False, 1.0), ("A", True, False, 1.0)))
    assert (
        conclusions[-1] == "That is not shown to be better than chance already, so no defense can show an effect on it."
    )
    assert canary_memory.conclusion(memory((PLAIN, False, False, 1.0)))[0].startswith("No defense is computed yet")


def test_networks_trained_for_longer_stand_beside_those_without_a_defense_and_are_none():
    longer = extracted(repetitions=(10, 500), epochs=60, trials=2)
    results = [*everyone(), longer]
    for view in VIEWS:
        ours = of(view, results)
        ours = ours[~ours["printed"]]
        assert list(dict.fromkeys(ours["row"])) == [PLAIN, LONGER, "Dropout (D)", "D + ES"]
        sentence = defenses.sentence(ours, view)
        assert "2 networks without a defense for 60 epochs" in sentence
        assert LONGER not in sentence
    assert LONGER in set(utility.points(results)["row"])
    assert LONGER not in utility.sentence(utility.points(results))


@pytest.mark.parametrize(
    ("low", "high", "difference"),
    [
        (0.0, 0.1, "beyond both intervals, fewer if shown 10 times"),
        (0.9, 1.0, "beyond both intervals, more if shown 10 times"),
        (0.3, 0.6, "the intervals overlap"),
    ],
)
def test_what_longer_training_changes_is_said_beyond_both_intervals_only(low, high, difference):
    usual = {"repetitions": 10, "schedule": 0.5, "low": 0.4, "high": 0.6}
    shown = memory((PLAIN, False, False, 1.0), (LONGER, False, False, 1.0), ("Dropout (D)", True, False, 1.0))
    shown = shown.assign(**usual)
    shown.loc[1, ["schedule", "low", "high"]] = (low + high) / 2, low, high
    conclusions = canary_memory.conclusion(shown)
    wrong = f"{(low + high) / 2:.0%} (shown 10 times)"
    assert f"Where networks are trained for 60 epochs, it gets {wrong} wrong: {difference}." in conclusions
    assert not any("No defense" in sentence for sentence in conclusions)


@pytest.mark.parametrize(
    ("low", "high", "difference"),
    [
        (4.0, 5.0, "shown 10 times, 2.0 bits of exposure against 4.5."),
        (1.0, 5.0, "no difference in exposure is shown."),
    ],
)
def test_what_noise_hides_is_told_beside_the_same_training_without_it(low, high, difference):
    shown = memory((PLAIN, False, False, 1.0), (SAME, False, False, 1.0), (PRIVATE, True, True, 9.0))
    shown[["exposure", "exposure_low", "exposure_high"]] = [[13.0, 12.0, 14.0], [4.5, low, high], [2.0, 1.0, 3.0]]
    conclusions = canary_memory.conclusion(shown)
    assert f"Private training beside the same without noise: {difference}" in conclusions
    assert not any("trained in batches" in sentence for sentence in conclusions)
    assert not any("without noise" in sentence for sentence in canary_memory.conclusion(shown.drop(index=1)))


def test_what_noise_costs_is_told_beside_the_same_training_without_it():
    private = extracted(repetitions=TIMES, defenses=("dp_sgd",), batch=512)
    same = extracted(repetitions=TIMES, batch=512)
    both = utility.points([bare(), same, private])
    assert noise(both["row"]) == (PRIVATE, SAME)
    assert set(defenses.points([bare(), same, private], "paper")["row"]) == {PLAIN, PRIVATE}
    sentence = utility.sentence(both)
    assert "Beside the same training without noise: intent accuracy" in sentence
    assert sentence.endswith("; the intervals overlap.")
    both = both.copy()
    both.loc[both["row"] == PRIVATE, ["value", "low", "high"]] = 0.2, 0.1, 0.3
    assert utility.sentence(both).endswith("; both lower beyond both intervals.")
    assert "without noise" not in utility.sentence(utility.points([bare(), private]))
