"""The paper's tables and figures on canaries: what it prints, what stands beside it, and how that is judged."""

from functools import cache

import pandas as pd
import pytest

from dashboard.topics.canaries.figures import paper, repetitions
from dashboard.topics.canaries.figures.outcome import MEASURES
from dashboard.topics.canaries.figures.printed import DEFENDED, TABLE_2, TABLE_4, TABLE_5, Setting
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.samples import has_chance, texts, titles

PATTERNS = ("pin", "color", "call")


def four():
    return extracted(repetitions=(1, 10, 100, 500, 1000, 2000))


def both_lengths():
    six = extracted(repetitions=(10, 1000, 2000), length=6)
    return {Setting("snips", 4): four(), Setting("snips", 6): six}


@cache
def with_both_lengths(table):
    return paper.points(table, both_lengths())


def of(table, pattern="pin", results=None):
    shown = with_both_lengths(table) if results is None else paper.points(table, results)
    return shown[shown["pattern"] == pattern]


def growing(*rows):
    """Return a line with values by repetitions, each with its interval."""
    return pd.DataFrame(
        [
            {"line": name, "repetitions": times, "value": value, "low": value - 0.1, "high": value + 0.1, "chance": 0.9}
            for name, times, value in rows
        ]
    )


def test_the_papers_values_are_those_it_prints():
    alone = paper.points(TABLE_5, {}).set_index(["pattern", "row"])
    best = alone.loc[("pin", "n = 4")]
    assert (best["accuracy"], best["hamming"], best["repetitions"]) == (0.5, 0.18, 1000)
    assert best["accuracy_chance"] == pytest.approx(1e-4) and best["hamming_chance"] == pytest.approx(0.9)
    assert alone.loc[("color", "n = 10"), "accuracy_chance"] == pytest.approx(1.62e-11, rel=0.01)
    assert [len(table.lines) for table in (TABLE_2, TABLE_4, TABLE_5)] == [12, 5, 12]
    assert TABLE_4.lines[-1].setting.label == "n = 7<br>of 10"
    assert len(DEFENDED) == 3 * 3 * 7 and DEFENDED["call", 1000, ("dropout",)] == 0.58


def test_ours_is_the_best_of_what_was_tried():
    ours = of(TABLE_5).set_index(["row", "series"])
    assert ours.loc[("n = 4", "paper"), "tried"] == 5 and ours.loc[("n = 6", "paper"), "tried"] == 3
    cells = four().tables["cells"]
    tried = cells[(cells["pattern"] == "pin") & (cells["method"] == "paper") & (cells["repetitions"] > 1)]
    assert ours.loc[("n = 4", "paper"), "accuracy"] == tried["accuracy"].max()
    assert "exhaustive" in ours.loc["n = 4"].index and "exhaustive" not in ours.loc["n = 6"].index
    assert of(TABLE_4, results={Setting("snips", 4): four()})["repetitions"].unique().tolist() == [1]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("table", [TABLE_2, TABLE_4, TABLE_5])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_row_has_the_papers_value_hollow_and_ours_with_an_interval(measure, table, pattern):
    figure = paper.figure(of(table, pattern), measure)
    assert has_chance(figure) and titles(figure) == [paper.AXES[measure]]
    printed, *ours = figure.data
    assert printed.marker.symbol == "diamond-open" and printed.error_x.array is None
    assert all(trace.error_x.array is not None for trace in ours) and len(ours) == 3
    lanes = [at for trace in figure.data for at in trace.y]
    assert len(set(lanes)) == len(lanes)
    assert any("×" in text for text in texts(figure)) == (table is not TABLE_4)


def test_a_table_without_ours_is_drawn_and_said():
    shown = of(TABLE_2, results={})
    assert [trace.name for trace in paper.figure(shown, "hamming").data] == ["The paper’s value"]
    assert paper.sentence(shown, "hamming") == (
        "Wrong words for n = 4, 6, 8 and 10. The paper: 27%, 45%, 61% and 43%. Our result is not computed yet."
    )
    assert paper.verdict(paper.points(TABLE_2, {}), "hamming") == (
        "None of our results for the 12 values of the table is computed yet."
    )


def test_values_are_read_aloud_with_what_is_missing():
    sentence = paper.sentence(of(TABLE_5), "accuracy")
    assert sentence.startswith("Whole secrets for n = 4, 6, 8 and 10. The paper: 50%, 10%, 0% and 10%.")
    assert "(n = 4 and 6 only)" in sentence and "(n = 4 only)" in sentence


@pytest.mark.parametrize(("measure", "good"), [("hamming", 0.0), ("accuracy", 1.0)])
def test_ours_is_judged_by_its_interval(measure, good):
    shown = paper.points(TABLE_4, {Setting("snips", 4): four()})
    ends = {f"{measure}{end}": good for end in ("", "_low", "_high")}
    ours = shown["series"] != "printed"
    strong = shown.assign(**{name: shown[name].where(~ours, value) for name, value in ends.items()})
    verdict = paper.verdict(strong, measure)
    assert verdict.count("compared with 3 values of the paper: stronger beyond the interval in 3, weaker in 0") == 2
    assert verdict.endswith("better than chance in 3.")
    weak = shown.assign(**{name: shown[name].where(~ours, 1 - good) for name in ends})
    assert "stronger beyond the interval in 0, weaker in 3" in paper.verdict(weak, measure)


def test_the_choice_after_the_fact_is_said_with_its_count():
    sentence = paper.choice(TABLE_5, with_both_lengths(TABLE_5))
    assert "the best of 5 numbers of repetitions (10, 100, 500, 1,000 and 2,000), ours of 3 for n = 6" in sentence
    assert "favours the attack," in sentence
    assert "once" in paper.choice(TABLE_4, with_both_lengths(TABLE_4))


@pytest.mark.parametrize("measure", MEASURES)
def test_repetitions_are_drawn_by_method_and_by_data(measure):
    lines = repetitions.by_method(both_lengths())
    shown = repetitions.points(lines, "pin", measure)
    figure = repetitions.figure(shown, measure)
    assert has_chance(figure) and list(figure.layout.xaxis.ticktext) == ["10", "1,000", "2,000"]
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == list(lines)
    flights = extracted(repetitions=(10, 500), dataset="atis")
    both = repetitions.by_dataset({Setting("snips", 4): four(), Setting("atis", 4): flights}, "paper")
    assert list(both) == ["Snips", "ATIS"]
    sentence = repetitions.data_sentence(repetitions.points(both, "color", measure), measure)
    assert "on Snips, shown" in sentence and "on ATIS, shown" in sentence and "At equal repetitions" in sentence


def test_nothing_is_drawn_of_nothing():
    shown = repetitions.points(repetitions.by_method({}), "pin", "hamming")
    assert texts(repetitions.figure(shown, "hamming")) == ["Not computed yet."]
    assert repetitions.growth_sentence(shown, "hamming") == "Not computed yet."
    assert repetitions.data_sentence(shown, "hamming") == "Not computed yet."


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ((2000, 0.6), "; beyond 1,000 it weakens."),
        ((2000, 0.3), "; a weaker attack beyond 1,000 is not shown."),
        ((1000, 0.2), "; more than 1,000 was not tried."),
    ],
)
def test_whether_the_attack_weakens_is_judged_by_the_intervals(last, words):
    times, value = last
    rows = [("here", 1, 0.8), *([("here", 1000, 0.2)] if times > 1000 else []), ("here", times, value)]
    sentence = repetitions.growth_sentence(growing(*rows), "hamming")
    assert sentence.startswith(
        "here: share of wrong words 80% (95% interval 70–90%) when shown once"
    ) and sentence.endswith(words)


def test_data_are_compared_where_secrets_were_shown_as_often():
    apart = growing(("Snips", 100, 0.1), ("Snips", 500, 0.1), ("ATIS", 100, 0.8), ("ATIS", 200, 0.1))
    assert "the intervals do not overlap for Snips and ATIS (100)." in repetitions.data_sentence(apart, "hamming")
    same = growing(("Snips", 100, 0.1), ("ATIS", 100, 0.15))
    assert repetitions.data_sentence(same, "hamming").endswith("neither shows a difference nor excludes one.")
    assert repetitions.data_sentence(growing(("Snips", 100, 0.1)), "hamming").endswith("computed yet.")
