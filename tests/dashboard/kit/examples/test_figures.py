"""Figures of membership of single examples: lines with chance, honest sentences, and nothing to draw."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core import catalog
from core.attacks.window_similarity import WindowSimilarity
from core.games.example_membership import ExampleMembership
from core.result import Estimate, Result, table
from core.runtime.store import Store
from core.statistics.intervals import uncertain
from dashboard.kit.examples.figures import groups as example_groups
from dashboard.kit.examples.figures import roc, rules, scores, statistic
from tests.dashboard import samples
from tests.dashboard.windows.samples import windows as made

WINDOWS = WindowSimilarity.wording
SCHEMAS = ExampleMembership.tables
EMPTY = {name: table(schema, []) for name, schema in SCHEMAS.items()}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return made().tables


def checked(figure: go.Figure) -> go.Figure:
    """Return a figure after plotly itself has looked at every value."""
    return go.Figure(figure.to_dict())


def group(number: int, advantage: float, half: float = 0.05, rule: str = "likelihood_ratio") -> dict[str, object]:
    return {
        "statistic": "cosine",
        "rule": rule,
        "place": number,
        "group": f"band {number}",
        "examples": 20,
        "documents": 18,
        "pool": 100,
        "usable": 40,
        "advantage": advantage,
        "low": advantage - half,
        "high": advantage + half,
        "auc": 0.5 + advantage / 2,
        "auc_low": 0.4,
        "auc_high": 0.9,
    }


def groups(*rows: dict[str, object]) -> pd.DataFrame:
    return table(SCHEMAS["groups"], list(rows))


def test_each_statistic_and_rule_has_a_line_and_chance_is_drawn(tables: dict[str, pd.DataFrame]) -> None:
    figure = checked(example_groups.figure(tables["groups"], WINDOWS))
    lines = [trace.name for trace in figure.data if trace.mode == "lines+markers"]
    assert lines == [
        "Output times input vector, likelihood ratio",
        "Output times input vector, one threshold",
        "Cosine, likelihood ratio",
        "Cosine, one threshold (the paper)",
    ]
    assert samples.has_chance(figure) and len(samples.titles(figure)) == 2
    assert list(figure.layout.xaxis.ticktext) == ["5–9", "10–19", "20–49", "50–199", "200 or<br>more"]


def test_the_sentence_says_whether_the_advantage_falls_and_reaches_chance() -> None:
    falling = example_groups.sentence(groups(group(0, 0.8), group(1, 0.5), group(2, 0.02)), WINDOWS)
    assert "80% (95% interval 75–85%) for windows whose middle word occurs band 0 times" in falling
    assert (
        "2% (−3 to 7%) for those whose middle word occurs band 2 times; it falls with every step, which is not"
        in falling
    )
    uneven = example_groups.sentence(groups(group(0, 0.8), group(1, 0.2), group(2, 0.5)), WINDOWS)
    assert "falls" not in uneven and "not shown" not in uneven
    with_paper = example_groups.sentence(groups(group(0, 0.8), group(0, 0.3, rule="one_threshold")), WINDOWS)
    assert "30% (25–35%) by “Cosine, one threshold (the paper)”" in with_paper


def test_coverage_counts_each_window_once(tables: dict[str, pd.DataFrame]) -> None:
    why = "Examples that were not drawn from: words are unknown."
    assert "5–9 times: 6 of 200" in (sentence := example_groups.coverage(tables["groups"], WINDOWS, why))
    assert sentence.endswith("60% of all 2,500 windows could not be drawn: words are unknown.")
    assert example_groups.coverage(tables["groups"], WINDOWS, "").endswith("could not be drawn.")


def test_curves_begin_at_one_non_member(tables: dict[str, pd.DataFrame]) -> None:
    figure = checked(roc.figure(tables["roc"], 120))
    band, *curves = [trace for trace in figure.data if trace.mode == "lines" and trace.name != "chance"]
    assert band.fill == "toself" and band.name == "95% interval of the first curve" and band.showlegend
    assert len(curves) == 4 and all(min(trace.x) == pytest.approx(1 / 120) for trace in curves)
    assert samples.has_chance(figure) and figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert "at a false-positive rate of 10%" in roc.sentence(tables["roc"], 120)
    assert "at a false-positive rate of 1%" in roc.sentence(tables["roc"], 8000)


def test_two_outlines_hold_all_that_was_decided(tables: dict[str, pd.DataFrame]) -> None:
    figure = checked(statistic.figure(tables["densities"], "inner_output", "5–9", WINDOWS))
    assert [trace.name for trace in figure.data] == ["trained on the window", "not trained on it"]
    assert all(sum(trace.y[1:-1:2]) == pytest.approx(1) for trace in figure.data)
    sentence = statistic.sentence(tables["densities"], "inner_output", "5–9", WINDOWS)
    assert "of comparisons; chance, or two equal curves, is 50%." in sentence
    assert statistic.groups(tables["densities"])[-1] == "all"


def test_equal_outlines_say_nothing() -> None:
    rows = [
        {"statistic": "cosine", "group": "all", "member": member, "left": left, "right": left + 1, "share": 0.5}
        for member in (True, False)
        for left in (0.0, 1.0)
    ]
    sentence = statistic.sentence(table(SCHEMAS["densities"], rows), "cosine", "all", WINDOWS)
    assert (
        "the mean is 1 in models trained on the window and 1 in others. A member lies above a non-member in 50%"
        in sentence
    )


def test_each_model_is_a_point_beside_the_line_of_the_decision(tables: dict[str, pd.DataFrame]) -> None:
    of_band = scores.of(tables["shown"], "5–9")
    names = {int(number): f"<b>{number}" for number in of_band["example"]}
    figure = checked(scores.figure(of_band, names, WINDOWS))
    assert [len(trace.x) for trace in figure.data] == [24, 24]
    assert [shape.name for shape in figure.layout.shapes if shape.showlegend] == ["threshold"], "no name on a point"
    assert all("<b>" not in label for label in figure.layout.yaxis.ticktext)
    right = int(scores.hits(of_band).sum())
    assert f"Of 48 decisions about 6 windows, {right} are right; by chance 24." in scores.sentence(of_band, WINDOWS)


def test_nothing_is_said_to_be_nothing() -> None:
    assert example_groups.sentence(EMPTY["groups"], WINDOWS)
    assert example_groups.figure(EMPTY["groups"], WINDOWS).to_json()
    assert example_groups.coverage(EMPTY["groups"], WINDOWS, "") == ""
    assert roc.settled(EMPTY["roc"], {}, 4, 20, {}).empty
    assert roc.sentence(EMPTY["roc"], 0) and roc.figure(EMPTY["roc"], 0).to_json()
    assert statistic.sentence(EMPTY["densities"], "cosine", "all", WINDOWS)
    assert statistic.figure(EMPTY["densities"], "cosine", "all", WINDOWS).to_json()
    assert scores.sentence(EMPTY["shown"], WINDOWS)
    assert scores.figure(EMPTY["shown"], {}, WINDOWS).to_json()


def test_what_is_not_known_is_not_drawn(tables: dict[str, pd.DataFrame]) -> None:
    unknown = tables["groups"].assign(advantage=float("nan"))
    assert example_groups.sentence(unknown, WINDOWS) == example_groups.sentence(EMPTY["groups"], WINDOWS)
    assert example_groups.figure(unknown, WINDOWS).to_json()
    blank = tables["roc"].assign(true_positive_rate=0.0, low=0.0, high=float("nan"))
    assert roc.figure(blank, 120).to_json()
    assert scores.figure(tables["shown"].assign(score=float("nan")), {}, WINDOWS).to_json()


def test_unknown_names_are_shown_in_words() -> None:
    assert rules.name("some_distance", "some_rule") == "Some distance, some rule"
    assert rules.axis("some_distance") == rules.statistic_name("some_distance") == "Some distance"


def test_a_rate_of_examples_has_the_interval_of_its_estimate_too(tables: dict[str, pd.DataFrame]) -> None:
    sure = tables["roc"].assign(true_positive_rate=1.0, low=1.0, high=1.0)
    known = Estimate(value=1.0, low=0.8, high=1.0, chance=0.01, unit="share", members=60, nonmembers=60)
    endings = rules.endings(sure)
    settled = roc.settled(sure, {"tpr_at_1pct_fpr": known}, 4, 20, endings)
    answer, other, *_ = (curve.of(settled) for curve in rules.drawn(settled))
    at = np.isclose(settled["false_positive_rate"], 0.01)
    assert answer.loc[at[settled.index.get_indexer(answer.index)], "low"].tolist() == [0.8]
    assert set(other["low"]) == {uncertain(1.0, 1.0, 4)[0], 1.0}, "as few as there are couples of models"
    assert uncertain(1.0, 1.0, 20)[0] in set(roc.settled(sure, {}, 1, 20, endings)["low"]), (
        "or documents, of one couple"
    )
    assert "no interval" not in roc.sentence(settled, 120)
    second = rules.drawn(sure)[1]
    named = roc.settled(sure, {"tpr_at_1pct_fpr_other": known}, 4, 20, {(second.statistic, second.rule): "_other"})
    assert 0.8 in set(second.of(named)["low"]) and 0.8 not in set(rules.drawn(sure)[0].of(named)["low"])


def test_each_curve_is_settled_by_itself(tables: dict[str, pd.DataFrame]) -> None:
    """The lower end of a rate is no less than that of a lower rate of the same curve, and of no other."""
    curve = tables["roc"].drop_duplicates("false_positive_rate")
    rising = curve.assign(low=np.linspace(0, 1, len(curve)), high=1.0)
    low = [rising.assign(rule=rule) for rule in ("likelihood_ratio", "one_threshold")]
    settled = roc.settled(pd.concat(low, ignore_index=True), {}, 4, 20, {})
    first, second = (part["low"].tolist() for _, part in settled.groupby("rule"))
    assert first == second and first[0] < 0.1


@pytest.mark.parametrize("attack", ["window_similarity", "sentence_similarity"])
def test_in_every_stored_curve_intervals_hold_their_rates(attack: str) -> None:
    for entry in catalog.entries_of(attack):
        result = Result.load(Store(), entry.key)
        assert result is not None
        stored = result.tables["roc"]
        settled = roc.settled(stored, result.estimates, 4, 200, rules.endings(stored))
        assert settled["low"].le(settled["high"]).all(), entry.name
        rates = settled.loc[np.isclose(settled["false_positive_rate"], 0.01)].set_index(["statistic", "rule"])
        known = {key: f"tpr_at_1pct_fpr{ending}" for key, ending in rules.endings(stored).items()}
        shown = {key: name for key, name in known.items() if name in result.estimates}
        assert len(shown) > 1
        for key, name in shown.items():
            estimate = result.estimates[name]
            assert rates.loc[key, "true_positive_rate"] == pytest.approx(estimate.value, abs=5e-3), (entry.name, name)
            assert (rates.loc[key, "low"], rates.loc[key, "high"]) == (estimate.low, estimate.high)
