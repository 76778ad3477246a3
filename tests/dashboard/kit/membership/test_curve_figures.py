"""The curve against shadows: whole, growing, and degenerate."""

import numpy as np
import pytest

from dashboard.kit.membership.figures import curve
from tests.dashboard import samples
from tests.dashboard.samples import ATTACK, point, texts


def test_one_line_for_each_size_with_chance_and_titles():
    frame = samples.make().tables["curve"]
    figure = curve.figure(frame, ATTACK)
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [list(trace.x) for trace in lines] == [[5, 10, 50]] * 3
    assert samples.has_chance(figure) and len(samples.titles(figure)) == 2
    assert {"1 doc", "10 docs", "100 docs"} <= set(texts(figure))
    assert sum(trace.fill == "toself" for trace in figure.data) == 3


def test_all_sizes_together_are_drawn_only_alone():
    frame = samples.curve([point(size=0), point(size=0, shadows=100, accuracy=0.9)])
    assert curve.points(frame, ATTACK)["shadows"].tolist() == [50, 100]
    assert "all sizes" in texts(curve.figure(frame, ATTACK))


def test_the_path_is_not_part_of_the_curve():
    frame = samples.curve([point(), point(penalty=0.1, shadows=50, accuracy=0.99)])
    assert curve.points(frame, ATTACK)["accuracy"].tolist() == [0.8]


@pytest.mark.parametrize(
    "rows", [[], [point()], [{**point(), "penalty": None, "auc": None, "low": None, "high": None}]]
)
def test_a_growing_curve_may_have_no_or_one_point(rows):
    frame = curve.growing(rows)
    figure = curve.figure(frame, ATTACK, expected=200)
    assert figure.to_json() and samples.has_chance(figure)
    assert figure.layout.xaxis.range[1] > np.log10(200) > figure.layout.xaxis.range[0]


def test_the_paper_is_a_hollow_diamond_and_only_where_asked():
    frame = samples.make().tables["curve"]
    diamonds = [
        [t for t in curve.figure(frame, ATTACK, paper=paper).data if t.name == "paper"] for paper in (True, False)
    ]
    assert diamonds[0][0].marker.symbol == "diamond-open" and not diamonds[1]


def test_the_sentence_says_the_figures():
    frame = samples.curve([point(shadows=5, accuracy=0.55, half=0.1), point(shadows=50, accuracy=0.9, half=0.05)])
    sentence = curve.sentence(frame, ATTACK)
    assert "With 50 shadow pairs the attack is right in 90% (95% interval 85–95%) for 10 documents" in sentence
    assert "from 5 to 50 pairs raises it from 55% to 90%" in sentence


def test_the_sentence_does_not_claim_what_the_interval_does_not_show():
    sentence = curve.sentence(samples.curve([point(accuracy=0.55, half=0.1)]), ATTACK)
    assert "does not lie above chance: no leak is shown" in sentence and "Going" not in sentence


@pytest.mark.parametrize(
    ("accuracy", "says"),
    [
        (0.81, "Going from 5 to 50 pairs raises it from 60% to 81%{}: more shadow models make a stronger attack."),
        (0.8, "Going from 5 to 50 pairs takes it from 60% to 80%{}; the intervals overlap"),
        (0.6, "Going from 5 to 50 pairs takes it from 60% to 60%{}; the intervals overlap"),
        (0.4, "Going from 5 to 50 pairs takes it from 60% to 40%{}; the intervals overlap"),
        (0.39, "Going from 5 to 50 pairs lowers it{}, from 60%."),
    ],
)
def test_more_shadow_models_make_a_difference_where_intervals_are_apart(accuracy, says):
    few, many = point(shadows=5) | {"accuracy": 0.6, "low": 0.5, "high": 0.7}, point(shadows=50)
    many |= {"accuracy": accuracy, "low": round(accuracy - 0.1, 2), "high": round(accuracy + 0.1, 2)}
    assert says.format("") in curve.sentence(samples.curve([few, many]), ATTACK)
    two_sizes = samples.curve([few, many, point(size=1, shadows=50)])
    assert says.format(" for 10 documents") in curve.sentence(two_sizes, ATTACK)


def test_no_point_is_said_to_be_none():
    assert curve.sentence(curve.growing([]), ATTACK) == "No shadow model is trained yet."
