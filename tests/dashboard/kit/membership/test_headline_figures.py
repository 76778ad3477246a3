"""The headline: the attack beside weaker adversaries, and the guess that sees no model."""

import numpy as np
import pytest

from dashboard.kit.membership.figures import headline
from tests.dashboard import samples
from tests.dashboard.samples import ATTACK, curve, point


@pytest.mark.parametrize("measure", ["accuracy", "auc"])
def test_every_adversary_is_drawn_with_interval_and_chance(measure):
    figure = headline.figure(samples.make().tables["curve"], ATTACK, measure)
    assert figure.data[0].name == "Word pairs (the attack)"
    assert figure.data[-1].name == "Text alone, without a model"
    assert all(len(trace.error_x.array) == 3 for trace in figure.data) and len(figure.data) == 5
    assert samples.has_chance(figure) and samples.titles(figure)
    named = [note for note in figure.layout.annotations if note.text in {trace.name for trace in figure.data}]
    assert named and all(note.bgcolor for note in named), "the line of chance would cross the names"


def test_an_unknown_adversary_is_named_by_its_own_name():
    figure = headline.figure(curve([point(), point("something_new")]), ATTACK)
    assert [trace.name for trace in figure.data] == ["Word pairs (the attack)", "Something new"]


@pytest.mark.parametrize("rows", [[], [{**point(), "auc": np.nan, "auc_low": np.nan, "auc_high": np.nan}]])
def test_what_is_not_measurable_is_said(rows):
    frame = curve(rows)
    assert "Not measurable" in headline.figure(frame, ATTACK, "auc").layout.annotations[-1].text
    assert headline.auc_sentence(frame, ATTACK).startswith("AUC is not measurable")
    assert headline.figure(frame, ATTACK).to_json() and headline.sentence(frame, ATTACK)


def test_a_leak_is_claimed_only_where_the_interval_shows_it():
    rows = [point(size=1, accuracy=0.55), point(size=10, accuracy=0.9, half=0.05)]
    assert "A leak is shown for 10 documents only." in headline.sentence(curve(rows), ATTACK)
    assert "show no leak, though the ranking does (AUC)" in headline.sentence(curve(rows[:1]), ATTACK)
    level = {**rows[0], "auc": 0.52, "auc_low": 0.45, "auc_high": 0.6}
    assert "no leak is shown" in headline.sentence(curve([level]), ATTACK)
    assert "the model leaks membership" in headline.sentence(curve(rows[1:]), ATTACK)


def test_a_split_that_tells_is_called_out():
    broken = curve([point(), point("model_free", accuracy=0.8)])
    sound = curve([point(), point("model_free", accuracy=0.5)])
    assert "Beware" in headline.sentence(broken, ATTACK) and "as it should" in headline.sentence(sound, ATTACK)
    assert "as it should" in headline.sentence(sound, ATTACK, (0.4, 0.6))
    assert "differs from chance too (all sizes together)" in headline.sentence(sound, ATTACK, (0.51, 0.74))


def test_a_rival_that_is_right_more_often_is_named_unless_it_is_named_already():
    rows = [point(accuracy=0.75, half=0.05), point("min_k", accuracy=0.92, half=0.05)]
    said = headline.sentence(curve(rows), ATTACK)
    assert "These are right more often, with an interval of the difference above 0: “Min-K%" in said
    assert "with 92% for 10 documents" in said
    rows = [point(accuracy=0.75, half=0.2), point("l2_distance", accuracy=0.8), point("min_k", accuracy=0.78)]
    said = headline.sentence(curve(rows), ATTACK)
    assert "“Min-K%: the least likely words” reaches 78% for 10 documents; the interval of the difference" in said
    assert said.count("80%") == 1, "plain distance has a sentence of its own"


_REACHED = (("min_k", 1, 0.72), ("min_k", 5, 0.8), ("loss", 1, 0.74), ("loss", 5, 0.78))


def test_what_others_reach_is_said_of_each_size():
    rows = [point(size=size, accuracy=0.7, half=0.15) for size in (1, 5)]
    rows += [point(name, size=size, accuracy=accuracy) for name, size, accuracy in _REACHED]
    said = headline.sentence(curve(rows), ATTACK)
    assert "reach up to 74% for 1 document and 80% for 5 documents; the interval of the difference" in said


def test_a_ranking_has_its_interval_and_says_where_it_is_not_shown_to_be_better_than_chance():
    rows = [point(size=1, auc=0.52), point(size=10, auc=0.9)]
    rows[0] |= {"auc_low": 0.4, "auc_high": 0.64}
    rows[1] |= {"auc_low": 0.8, "auc_high": 0.97}
    said = headline.auc_sentence(curve(rows), ATTACK)
    assert "0.52 (95% interval 0.40–0.64) for 1 document and 0.90 (0.80–0.97) for 10 documents" in said
    assert "For 1 document the ranking is not shown to be better than chance." in said
    assert "not shown" not in headline.auc_sentence(curve(rows[1:]), ATTACK)


def test_a_rival_that_ranks_as_well_is_named():
    rows = [point(auc=0.90), point("l2_distance", auc=0.93), point("all_vectors", auc=0.80)]
    said = headline.auc_sentence(curve(rows), ATTACK)
    assert said.endswith(
        "“Word pairs by plain L2 distance (the paper)” reaches 0.93 for 10 documents; the interval of the difference "
        "includes 0."
    )
    rows[0] |= {"auc": 0.7, "auc_low": 0.5, "auc_high": 0.87}
    rows[1] |= {"auc": 0.97, "auc_low": 0.88, "auc_high": 1.0}
    rows[2] |= {"auc": 1.0, "auc_low": 0.57, "auc_high": 1.0}
    said = headline.auc_sentence(curve(rows), ATTACK)
    assert "These rank better, with an interval of the difference above 0: “Word pairs by plain" in said
    assert "“Vectors of any words” reaches 1.00 for 10 documents; the interval of the difference includes 0." in said, (
        "its interval is wide"
    )
    rows[1] |= {"auc": 0.5, "auc_low": 0.5, "auc_high": 0.5}
    assert "plain" not in headline.auc_sentence(curve(rows), ATTACK)
    rows = [point(auc=0.99), *(point(name, auc=1.0) for name in ("all_pairs", "uncommon_pairs", "unseen_pairs"))]
    said = headline.auc_sentence(curve(rows), ATTACK)
    assert "3 adversaries reach up to 1.00 for 10 documents; the interval of the difference includes 0." in said
    assert said.endswith(
        "the interval is Wilson’s bound for as few cases as there are plays or targets, which is wide."
    )
