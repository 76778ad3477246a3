"""A room against an attack: both ROC curves, the majority, the text alone and chance, with their 95% intervals."""

from collections.abc import Sequence

import pandas as pd

from dashboard.kit.examples.figures import rules
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import contest
from dashboard.topics.lessons.figures.sketch import Sketch

_LEFT, _TOP, _SIDE, _ASIDE = 44, 24, 190, 246
"""Place and side of the square, and where its legend begins."""


@once
def picture(
    roc: pd.DataFrame,
    table: pd.DataFrame,
    by_person: Sequence[contest.Decisions],
    own_decisions: contest.Decisions | None,
    blind: float,
) -> str:
    """Draw the curves.

    Args:
        roc: Table of the game.
        table: The items, see `contest.items`.
        by_person: The decisions of each person about them.
        own_decisions: The viewer's own decisions.
        blind: Accuracy of the text alone, without a model.
    """
    sketch = Sketch()

    def at(false_positives: float, true_positives: float) -> tuple[float, float]:
        return _LEFT + _SIDE * false_positives, _TOP + _SIDE * (1 - true_positives)

    def through(curve: pd.DataFrame, column: str = "true_positive_rate") -> list[tuple[float, float]]:
        return [at(float(x), float(y)) for x, y in zip(curve["false_positive_rate"], curve[column], strict=True)]

    for part in (0.0, 0.5, 1.0):
        sketch.rule(_LEFT, _LEFT + _SIDE, at(0, part)[1])
        sketch.text(_LEFT - 6, at(0, part)[1] + 5, f"{part:.0%}", "end")
        sketch.text(at(part, 0)[0], _TOP + _SIDE + Sketch.LINE, f"{part:.0%}", "middle")
    sketch.text(_LEFT + _SIDE / 2, _TOP + _SIDE + 2 * Sketch.LINE, "non-members taken for members", "middle")
    sketch.text(_LEFT, Sketch.LINE - 4, "members found")
    sketch.line([at(0, 0), at(1, 1)], sketch.CHANCE, 2, dashed=True)
    entries = [("chance", sketch.CHANCE, 0), ("text alone", sketch.CHANCE, 0)]
    if lead := 2 * blind - 1:
        sketch.line([at(max(0.0, -lead), max(0.0, lead)), at(min(1.0, 1 - lead), min(1.0, 1 + lead))], sketch.CHANCE, 3)
    curve = rules.drawn(roc)[0].of(roc).sort_values("false_positive_rate")
    sketch.area([*through(curve, "low"), *reversed(through(curve, "high"))], sketch.MEASURED)
    sketch.line(through(curve), sketch.MEASURED, 3)
    entries.append(("the attack", sketch.MEASURED, 0))
    if by_person:
        sketch.line(through(contest.crowd(table, by_person)), sketch.PREDICTED, 3)
        true_rate, false_rate = records(contest.rates(table, contest.majority(by_person)))
        sketch.line([at(false_rate.low, true_rate.value), at(false_rate.high, true_rate.value)], sketch.PREDICTED, 1.5)
        sketch.line([at(false_rate.value, true_rate.low), at(false_rate.value, true_rate.high)], sketch.PREDICTED, 1.5)
        sketch.dot(*at(false_rate.value, true_rate.value), 6, sketch.PREDICTED)
        entries += [("the room", sketch.PREDICTED, 0), ("its majority", sketch.PREDICTED, 6)]
    if own_decisions is not None:
        true_rate, false_rate = records(contest.rates(table, own_decisions))
        sketch.dot(*at(false_rate.value, true_rate.value), 4, sketch.PREDICTED, ringed=True)
        entries.append(("you", sketch.PREDICTED, 4))
    for number, (name, colour, radius) in enumerate(entries, start=1):
        y = _TOP + number * 1.3 * Sketch.LINE
        if radius:
            sketch.dot(_ASIDE + 7, y, radius, colour, ringed=name == "you")
        else:
            sketch.line(
                [(_ASIDE, y), (_ASIDE + 14, y)],
                colour,
                3,
                dashed=name == "chance" or (name == "text alone" and not lead),
            )
        sketch.text(_ASIDE + 20, y + 5, name)
    return sketch.drawn(_TOP + _SIDE + 2.5 * Sketch.LINE, contest.sentence(roc, table, by_person, blind, room=True))
