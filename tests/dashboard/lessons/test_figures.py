"""Predictions lie on the axes of what was measured, one's own and those of many alike."""

import re

import pandas as pd
import pytest

from core.result import Estimate
from dashboard.topics.lessons.figures import answers, beside, contest, crowd, known, missing, options, stacks
from dashboard.topics.lessons.figures.sketch import Sketch
from dashboard.topics.lessons.lesson import Measured, Point

GOOD = Estimate(value=0.9, low=0.85, high=0.95, chance=0.5, unit="share of decisions", members=40, nonmembers=40)
WEAK = GOOD.model_copy(update={"value": 0.6, "low": 0.55, "high": 0.65})
BITS = Estimate(value=12.3, low=12.1, high=12.5, chance=1.44, unit="bits", decisions=30)


def point(*ticks: str, tick: str = "one", along: str = "E-mails", high: float = 1.0) -> Point:
    return Point("How many?", along, dict.fromkeys(ticks, Measured("mailboxes")), tick=tick, high=high)


def trace(figure, name):
    return next(each for each in figure.data if each.name == name)


def notes(figure):
    return [note.text for note in figure.layout.annotations]


@pytest.mark.parametrize("value, sentence", [(0.5, "50%, below"), (0.9, "90%, in"), (1.0, "100%, above")])
def test_a_prediction_lies_beside_the_interval_chance_and_n(value: float, sentence: str) -> None:
    rows = answers.table({"Accuracy": GOOD})
    figure = beside.figure(rows, (value,), (0.0, 1.0))
    assert list(trace(figure, "your prediction").x) == [value]
    measured = trace(figure, answers.INTERVAL)
    assert (measured.x[0], measured.error_x.array[0]) == (0.9, pytest.approx(0.05))
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5]
    text = beside.sentence(rows, (value,), (0.0, 1.0))
    assert f"You predicted {sentence} the interval." in text
    assert "90% (95% interval 85–95%); chance 50%, n = 80 decisions." in text


def test_many_predictions_are_stacked_on_the_same_axis() -> None:
    rows = answers.table({"Exposure": BITS})
    given = (3.0, 3.0, 12.5, 3.0)
    figure = beside.figure(rows, given, (0.0, 15.0))
    stacked = trace(figure, "4 predictions")
    assert list(stacked.x) == [3.0, 3.0, 3.0, 12.5]
    assert list(stacked.y) == [1.0, 1.5, 2.0, 1.0]
    assert figure.layout.yaxis.range[1] > 2.0
    assert "12.3 bits (95% interval 12.1–12.5)" in beside.sentence(rows, given, (0.0, 15.0))
    assert "Of 4 predictions, 1 lies in the interval." in beside.sentence(rows, given, (0.0, 15.0))


def test_options_say_who_chose_them() -> None:
    rows = answers.table({"one": WEAK, "other": GOOD}, "Accuracy, in percent")
    assert options.figure(rows, ()).layout.xaxis.title.text == "Accuracy, in percent"
    assert options.best(rows) == "other"
    assert "<b>One</b><br>your choice" in notes(options.figure(rows, ("one",)))
    assert "<b>One</b><br>1 of 3" in notes(options.figure(rows, ("one", "other", "other")))
    assert options.sentence(rows, ("one",)).endswith("You chose “one”; the highest is “other”.")
    assert options.sentence(rows, ("other",)).endswith("You chose “other”, the highest.")
    assert options.sentence(rows, ("one", "other")).endswith("1 of 2 chose the highest, “other”.")


def test_the_missing_point_is_missing_until_it_is_revealed() -> None:
    rows = answers.table({"one": WEAK, "ten": GOOD})
    prediction = point("one", "ten")
    data = rows, prediction, (0.7,)
    before, after = missing.figure(*data, False), missing.figure(*data, True)
    assert list(trace(before, answers.INTERVAL).y) == [0.9]
    assert list(trace(before, "your prediction").x) == [0.0]
    assert list(trace(after, answers.INTERVAL).y) == [0.6, 0.9]
    assert trace(after, "your prediction").x[0] < 0
    assert "60%" not in missing.sentence(*data, False) and "60%" in missing.sentence(*data, True)
    many = missing.figure(rows, prediction, (0.7, 0.7, 0.2), True)
    assert len(set(zip(trace(many, "3 predictions").x, trace(many, "3 predictions").y, strict=True))) == 3


def made(members: int = 2, others: int = 2) -> tuple[pd.DataFrame, pd.DataFrame]:
    member = [True] * members + [False] * others
    table = pd.DataFrame({"member": member, "score": [1.0 if each else -1.0 for each in member]})
    rates = {"false_positive_rate": [0.0, 0.5, 1.0], "true_positive_rate": [0.5, 0.8, 1.0]}
    roc = pd.DataFrame({**rates, "low": [0.4, 0.7, 1.0], "high": [0.6, 0.9, 1.0]})
    return roc.assign(statistic="cosine", rule="likelihood_ratio"), table


def test_answers_are_points_on_the_axes_of_the_attack() -> None:
    roc, table = made()
    figure = contest.figure(roc, table, [(True, False, True, False)], 0.5)
    assert (trace(figure, "you").x[0], trace(figure, "you").y[0]) == (0.5, 0.5)
    assert (trace(figure, contest.ATTACK).x[0], trace(figure, contest.ATTACK).y[0]) == (0.0, 1.0)
    assert trace(figure, "you").error_y.array[0] > 0.3, "few items say little"
    both = trace(figure, contest.BLIND_AT_CHANCE)
    assert both.x == both.y == (0.0, 1.0), "the text alone lies on the diagonal of chance: one entry for both"
    assert not {contest.BLIND, contest.CHANCE} & {each.name for each in figure.data}
    text = contest.sentence(roc, table, [(True, False, True, False)], 0.5)
    assert (
        "You were right about 2 of 4 items: 50% (95% interval 15–85%)" in text
        and "The attack was right about 4 of the same 4" in text
    )
    better = contest.figure(roc, table, [(True,) * 4], 0.6)
    assert trace(better, contest.CHANCE).x == (0.0, 1.0)
    blind = trace(better, contest.BLIND)
    assert (blind.x[0], blind.y[0]) == (0.0, pytest.approx(0.2))
    people = [(True, True, True, False), (True, False, True, True), (True, False, False, False)]
    assert contest.majority(people) == (True, False, True, False)
    room = contest.figure(roc, table, people, 0.5)
    assert list(trace(room, "3 people").x) == [rates["value"][1] for rates in (contest.rates(table, p) for p in people)]
    curve = trace(room, contest.ROOM)
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert list(curve.x) == sorted(curve.x) and list(curve.y) == sorted(curve.y)
    correct = contest.right(table, (True, False, True, False))
    text = contest.sentence(roc, table, people, 0.5)
    assert f"The majority of 3 people was right about {correct} of 4 items: {correct / 4:.0%} (95% interval" in text
    assert contest.sentence(roc, table, [], 0.5).startswith("The attack was right")
    assert contest.sentence(roc, table, people[:1], 0.5).startswith("You were right")
    assert contest.sentence(roc, table, people[:1], 0.5, room=True).startswith("The one person who answered was right")
    assert contest.sentence(roc, table, people[:2], 0.5).startswith("The majority of 2 people (a tie means “out”) was")


COLOURS = Sketch.MEASURED, Sketch.PREDICTED, Sketch.CHANCE


def test_the_dots_of_a_room_stand_on_the_axis_of_the_measurement() -> None:
    rows = answers.table({"Accuracy": GOOD})
    predictions = (0.5, 0.5, 0.9, 1.0)
    before, after = (stacks.dots(rows, predictions, (0.0, 1.0), 0.9, is_shown) for is_shown in (False, True))
    dots = re.findall(r'<circle cx="([0-9.]+)" cy="([0-9.]+)" r="4.5"', after)
    assert len(dots) == 4 and dots[0][0] == dots[1][0] and dots[0][1] != dots[1][1]
    assert after.count('stroke-width="2.5"') == 1, "one's own is marked"
    assert not [sign for sign in (Sketch.MEASURED, Sketch.CHANCE, "Measured", ">chance<") if sign in before]
    assert re.search(r'<circle cx="([0-9.]+)" cy="[0-9.]+" r="6"', after) and ">chance</text>" in after
    assert "4 predictions with the median 70%, half of them from 50% to 93%. Yours: 90%." in before
    sentence = stacks.dots_sentence(rows, predictions, 0.9, True)
    assert (
        sentence.startswith("Measured: 90% (95% interval 85–95%); chance 50%")
        and "1 of them lies in the interval" in sentence
    )
    assert stacks.dots_sentence(rows, (), None, False) == "No prediction."
    assert stacks.dots_sentence(rows, (), None, True).endswith("n = 80 decisions.")
    one = stacks.dots_sentence(rows, (0.5,), 0.5, True)
    assert "1 prediction: 50%, below the interval. Yours: 50%." in one
    assert "None of them lies" in stacks.dots_sentence(rows, (0.5, 0.6), None, True)
    bits = stacks.dots(answers.table({"Exposure": BITS}), (3.0,), (0.0, 15.0), None, True)
    assert ">measured 12.3 bits</text>" in bits and ">15</text>" in bits


@pytest.mark.parametrize("value", [0.3, 0.42, 0.58, 0.7, 0.9])
def test_no_value_is_written_across_the_line_of_chance(value: float) -> None:
    near = GOOD.model_copy(update={"value": value, "low": value - 0.08, "high": value + 0.08})
    rows = answers.table({"one": near, "two": near})
    dots = stacks.dots(rows.head(1), (), (0.0, 1.0), None, True)
    for drawn, letters in ((dots, 3), (stacks.bars(rows, (), None, True), 13)):
        line = float(re.findall(r'<polyline points="([0-9.]+),[^>]*dasharray', drawn)[0])
        labels = re.findall(r'<text x="([0-9.]+)" y="[0-9.]+" text-anchor="(\w+)" font-weight', drawn)
        assert labels
        for x, anchor in labels:
            left = float(x) - (7 * letters if anchor == "end" else 0)
            assert not left <= line <= left + 7 * letters and 0 <= left <= 340 - 7 * letters


def test_the_bars_of_a_room_say_who_chose_what() -> None:
    rows = answers.table({"<one>": WEAK, "other": GOOD})
    data = rows, ("other", "<one>", "other"), "<one>"
    before, after = stacks.bars(*data, False), stacks.bars(*data, True)
    assert "measured" not in before and after.count("measured: ") == 2 and "<one>" not in after
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([0-9.]+)"', after)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    assert stacks.bars_sentence(*data, False) == "<one>: 1 of 3; other: 2 of 3. Yours: “<one>”."
    assert "2 of 3 chose the highest, “other”." in stacks.bars_sentence(*data, True)
    assert stacks.bars_sentence(rows, (), None, True).endswith("The highest is “other”.")


def test_the_axis_is_that_of_areas_where_nobody_chose() -> None:
    areas = {name: each.model_copy(update={"unit": "probability"}) for name, each in (("one", WEAK), ("other", GOOD))}
    rows = answers.table(areas, "AUC: probability that a member scores above a non-member")
    nobody, somebody = stacks.bars(rows, (), None, True), stacks.bars(rows, ("one",), None, True)
    assert nobody.count("<circle") == 2 and "%<" not in nobody and ">0.50</text>" in nobody and ">AUC: " in nobody
    assert "<circle" not in somebody and ">100%</text>" in somebody and "AUC" not in somebody


def test_the_curve_of_a_room_lies_beside_that_of_the_attack() -> None:
    roc, table = made()
    people = [(True, True, True, False), (True, False, True, True), (True, False, False, False)]
    drawn = crowd.picture(roc, table, people, people[0], 0.5)
    assert [drawn.count(f"stroke:{colour}") for colour in COLOURS] == [2, 4, 3], (
        "each curve and its entry, two intervals, and the entry of the text alone, on the line of chance"
    )
    assert drawn.count('r="6"') == 2 and drawn.count('stroke-width="2.5"') == 2, "the majority and oneself, too"
    assert "The majority of 3 people was right about 2 of 4 items" in drawn and "text alone</text>" in drawn
    assert drawn.count("stroke-dasharray") == 3, "chance, its entry, and that of the text alone"
    alone = crowd.picture(roc, table, (), None, 0.6)
    assert Sketch.PREDICTED not in alone and ">text alone</text>" in alone and alone.count("stroke-dasharray") == 2
    assert contest.sentence(roc, table, (), 0.6).endswith("Members: items 1 and 2.")


def test_a_small_drawing_shows_the_known_points_and_not_the_missing_one() -> None:
    rows = answers.table({"one": WEAK, "a hundred thousand <times>": GOOD})
    prediction = point("one", "a hundred thousand <times>")
    before = known.picture(rows, prediction, ())
    assert before.count("<circle") == 1 and ">?</text>" in before and ">90%</text>" in before
    assert ">chance</text>" in before and ">E-mails</text>" in before and "<times>" not in before
    assert ">a hundred thousand</text>" in before, "long names are broken"
    assert not re.search("60%[^<]*interval", before) and "60%" not in missing.sentence(rows, prediction, (), False)
    predicted = known.picture(rows, prediction, (0.33,))
    assert predicted.count("<circle") == 2 and predicted.count('stroke-width="2.5"') == 1 and ">33%</text>" in predicted
    assert ">?</text>" not in predicted and "You predicted 33% for one." in predicted
    prediction = point("never", "once", tick="once", along="Times", high=15.0)
    low = known.picture(answers.table({"never": BITS, "once": BITS}), prediction, ())
    (height,) = re.findall(r'y="([0-9.]+)" text-anchor="end">chance', low)
    (zero,) = re.findall(r'y="([0-9.]+)" text-anchor="end">0<', low)
    assert float(height) < float(zero), "the name of chance does not lie on those of the ticks"
