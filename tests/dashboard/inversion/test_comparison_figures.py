"""F1 of every method, drawn and read aloud as the table has it."""

from core.result import Estimate
from dashboard.kit.figures import theme
from dashboard.topics.inversion.figures import comparison
from dashboard.topics.inversion.figures.comparison import Method


def f1(value: float, low: float, high: float, victims: int = 300) -> Estimate:
    return Estimate(value=value, low=low, high=high, chance=0.2, unit="mean over victims", decisions=victims)


METHODS = (
    Method("classifier", f1(0.7, 0.68, 0.72), "black box", "up to 100 texts", None, chosen=True),
    Method("relaxation", f1(0.4, 0.35, 0.45, 60), "white box", "up to 100 texts", None),
)


def test_each_method_has_its_value_interval_chance_and_number_of_victims():
    figure = comparison.figure(METHODS)
    shown, levels = figure.data
    assert list(shown.x) == [0.7, 0.4]
    assert [value for value in levels.x if value is not None] == [0.2] * 4
    assert levels.line.dash == theme.CHANCE_LINE["dash"], "as every level of chance, in the legend too"
    assert [(note.text, note.x) for note in figure.layout.annotations] == [("70%", 0.72), ("40%", 0.45)]
    labels = list(figure.layout.yaxis.ticktext)
    assert labels == ["<b>Classifier</b><br>black box, n 300", "Relaxation<br>white box, n 60"]
    assert all("chance 20%" in text for text in shown.text)


def test_the_best_is_named_and_whether_the_others_are_apart():
    sentence = comparison.sentence(METHODS)
    assert sentence.startswith(
        "Classifier (black box) recovers most: F1 70% (95% interval 68–72%), where chance is 20%"
    )
    assert sentence.endswith("over 300 victims. The others: relaxation 40%.")
    null = comparison.sentence([*METHODS, Method("sparse coding", f1(0.21, 0.18, 0.24), "white box", "", None)])
    assert null.endswith("Not shown to be better than chance: sparse coding.")
    close = comparison.sentence([*METHODS, Method("search", f1(0.71, 0.69, 0.73), "black box", "", None)])
    assert close.startswith("Search") and "Of the first and classifier, the intervals overlap, which neither" in close


def test_without_any_result_that_is_said():
    assert comparison.sentence([]) == "No method has a stored result for these texts."
    assert comparison.table([]).empty
