"""Accuracy against one setting of the attack: a point for each value, and the numbers that there are."""

import math

import pytest

from core.result import Estimate
from dashboard.topics.keywords.figures import ablation
from tests.dashboard.samples import has_chance, titles


def accuracy(value, half=0.02):
    return Estimate(value=value, low=value - half, high=value + half, chance=0.5, unit="share", decisions=200)


@pytest.fixture
def rising():
    levels = {10: 0.51, 30: 0.65, 100: 0.88, 300: 0.9, 2000: 0.905}
    return ablation.points((allowed, 382, accuracy(level), allowed == 2000) for allowed, level in levels.items())


def test_a_number_beyond_what_there_is_stands_where_all_are(rising):
    assert rising["number"].tolist() == [10, 30, 100, 300, 382]
    assert rising["label"].tolist() == ["10", "30", "100", "300", "all 382"]
    unlimited = ablation.points([(100, math.inf, accuracy(0.6), True)])
    unknown = ablation.points([(2000, math.nan, accuracy(0.6), True)])
    assert unlimited["label"].tolist() == ["100"] and unknown["label"].tolist() == ["at most 2,000"]


def test_the_one_looked_at_counts_where_two_have_the_same_number():
    table = ablation.points([(2000, 300, accuracy(0.9), True), (300, 300, accuracy(0.8), False)])
    assert table[["number", "accuracy", "here"]].values.tolist() == [[300, 0.9, True]]


def test_the_line_has_its_band_chance_and_a_ring(rising):
    figure = ablation.figure(rising, "held")
    assert titles(figure) and has_chance(figure) and figure.layout.xaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["10", "30", "100", "300", "<br>all 382"]
    ring = next(trace for trace in figure.data if trace.name == "this experiment")
    assert list(ring.x) == [382]
    assert any(trace.fill == "toself" for trace in figure.data)
    assert "No number was tried" in ablation.figure(rising.head(0), "held").layout.annotations[-1].text


def test_the_sentence_says_how_few_are_enough(rising):
    sentence = ablation.sentence(rising, "held")
    assert "More texts strengthen the attack; from 100 on, more are not shown to help." in sentence
    assert "With 10 the interval does not lie above chance." in sentence and "from pass to pass" not in sentence
    assert "the variation of the DANN between epochs" in ablation.sentence(rising, "aligned")


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ((0.6, 0.7, 0.8), "the last step still helps"),
        ((0.6, 0.61, 0.62), "more units than 10 are not shown to help"),
        ((0.8, 0.7, 0.6), "More units weaken the attack."),
        ((0.7, 0.8, 0.71), "20 units are best and 10 worst, beyond both intervals, but there is no steady rise."),
        ((0.49, 0.5, 0.51), "No interval lies above chance: no leak is shown."),
    ],
)
def test_the_sentence_claims_what_the_intervals_show(levels, says):
    table = ablation.points(
        (number, math.inf, accuracy(level), False) for number, level in zip((10, 20, 30), levels, strict=True)
    )
    assert says in ablation.sentence(table, "dimension")


def test_a_single_number_is_said_with_its_value(rising):
    assert ablation.sentence(rising.tail(1), "held") == (
        "With all 382 texts the accuracy of the attack is 91% (95% interval 89–93%); chance is 50%. No other number "
        "was tried."
    )
    assert ablation.sentence(rising.head(0), "held") == "No number was tried."


def test_every_topic_has_a_title_a_field_and_the_words_of_the_paper():
    assert ablation.TITLES.keys() == ablation.FIELDS.keys() == ablation.PAPER.keys()
    assert "59.4%" in ablation.PAPER["held"] and "no number" in ablation.PAPER["aligned"]
