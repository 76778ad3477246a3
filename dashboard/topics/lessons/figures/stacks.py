"""The predictions of a room as a small SVG, on the axis of what was measured: light enough for forty phones."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from statistics import quantiles
from textwrap import wrap
from typing import Any

import pandas as pd

from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted
from dashboard.kit.shared import once
from dashboard.kit.words import capitalised
from dashboard.topics.lessons.figures import answers, contest, options

Colours = tuple[str, str, str]
"""Colours, as CSS, of what was measured, of predictions, and of chance."""
_WIDTH, _MARGIN, _RADIUS, _STACK, _BINS, _LINE = 340, 16, 4.5, 110, 34, 17
"""Sizes of the drawing in units of which a phone is as wide: a dot is rounded to its own width."""
_SIZE = "max-width:var(--most-width,34rem);max-height:var(--most-height,none)"
"""Size on the page, unless the page around it says another."""
_CHARACTERS, _FIRM = 50, "\N{NO-BREAK SPACE}"
"""Letters in a line of a label, and the space at which none ends."""


@once
def dots(
    rows: pd.DataFrame,
    predictions: Sequence[float],
    ends: tuple[float, float],
    own: float | None,
    colours: Colours,
    is_shown: bool,
) -> str:
    """Draw one dot for each prediction; equal ones are stacked.

    Args:
        rows: One row of `answers.table`.
        predictions: In the unit of the value.
        ends: Of the axis.
        own: The prediction of who looks, marked among the others.
        colours: Of the marks.
        is_shown: Whether what was measured is shown, too.
    """
    (row,) = records(rows)
    span = ends[1] - ends[0]
    ticks = [ends[0] + span * part / 4 for part in range(5)]
    return _stacked(
        predictions,
        own,
        [(value, answers.written(value, row.is_share)) for value in ticks],
        (row.low, row.value, row.high, _written(row, row.value)) if is_shown else None,
        row.chance if is_shown and not pd.isna(row.chance) else None,
        _BINS,
        colours,
        dots_sentence(rows, predictions, ends, own, is_shown),
    )


@once
def dots_sentence(
    rows: pd.DataFrame, predictions: Sequence[float], ends: tuple[float, float], own: float | None, is_shown: bool
) -> str:
    """Read the dots aloud: where the predictions lie, and what was measured if that is shown."""
    (row,) = records(rows)
    many = capitalised(counted(len(predictions), "prediction")) if predictions else "No prediction"
    said = f"{many}{_spread(row, predictions)}."
    mine = "" if own is None else f" Yours: {_written(row, own)}."
    if not is_shown:
        return f"{said}{mine}"
    if not predictions:
        return f"Measured: {answers.read(rows)}."
    inside = sum(bool(row.low <= value <= row.high) for value in predictions)
    return f"Measured: {answers.read(rows)}. {said} {inside} of them {_lie(inside)} in the interval.{mine}"


@once
def right_answers(table: pd.DataFrame, said: Sequence[contest.Said], own: contest.Said | None, colours: Colours) -> str:
    """Draw one dot for each person, at the number of items that they told right, beside the attack.

    Args:
        table: The items, see `contest.items`.
        said: What each person said of them.
        own: What who looks said.
        colours: Of the marks.
    """
    count = len(table)
    attack = contest.right(table, (table["score"] > 0).tolist())
    return _stacked(
        [contest.right(table, each) for each in said],
        None if own is None else contest.right(table, own),
        [(value, str(value)) for value in sorted({0, count // 2, count})],
        (attack, attack, attack, f"the attack: {attack}"),
        count / 2,
        count + 1,
        colours,
        f"Items told right, of {count}: {', '.join(str(contest.right(table, each)) for each in said)}; {attack} by the "
        "attack.",
    )


@once
def bars(
    rows: pd.DataFrame, chosen: Sequence[str], lowest: bool, own: str | None, colours: Colours, is_shown: bool
) -> str:
    """Draw a bar for each option, as long as the share that chose it.

    Args:
        rows: Of `answers.table`, one for each option.
        chosen: Names of the options that were chosen.
        lowest: Whether the lowest is right.
        own: The choice of who looks.
        colours: Of the marks.
        is_shown: Whether what was measured is shown, too: a mark with its interval on the same axis, if that of shares.
    """
    parts, y, whole = [], float(_LINE if is_shown else 0), max(len(chosen), 1)
    length, options_drawn = _WIDTH - 2 * _MARGIN, records(rows)
    for row in options_drawn:
        votes = sum(each == row.name for each in chosen)
        mine = " · yours" if row.name == own else ""
        ending = f"· {votes} of {len(chosen)}{mine}".replace(" ", _FIRM) if chosen else ""
        for line in wrap(f"{capitalised(row.name)} {ending}", _CHARACTERS):
            y += _LINE
            parts.append(_text(_MARGIN, y, line, "start", bold=row.name == own))
        y += 6
        parts.append(_rule(_MARGIN, _WIDTH - _MARGIN, y + 10))
        if votes:
            width = length * votes / whole
            parts.append(f'<rect x="{_MARGIN}" y="{y}" width="{width:.1f}" height="10" style="fill:{colours[1]}"/>')
        y += 12
        if is_shown:
            y += _LINE
            written = f"measured: {_written(row, row.value)}"
            if row.is_share:
                low, value, high = (
                    _MARGIN + length * min(max(end, 0.0), 1.0) for end in (row.low, row.value, row.high)
                )
                parts += _measured(low, value, high, y - 4, written, colours[0])
            else:
                parts.append(_text(_MARGIN, y, written, "start"))
        y += 8
    chance = options_drawn[0].chance
    if is_shown and options_drawn[0].is_share and not pd.isna(chance):
        parts.insert(0, _chance(_MARGIN + length * chance, y, colours[2]))
    for part, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        parts.append(_text(_MARGIN + length * part, y + _LINE, answers.written(part, True), anchor))
    return _drawn(parts, y + 1.5 * _LINE, bars_sentence(rows, chosen, lowest, own, is_shown))


@once
def bars_sentence(rows: pd.DataFrame, chosen: Sequence[str], lowest: bool, own: str | None, is_shown: bool) -> str:
    """Read the bars aloud: how many chose each option, and what was measured if that is shown."""
    votes = {row.name: sum(each == row.name for each in chosen) for row in records(rows)}
    listed = "; ".join(f"{name}: {count} of {len(chosen)}" for name, count in votes.items())
    mine = "" if own is None else f" Yours: “{own}”."
    if not is_shown:
        return f"{capitalised(listed) if chosen else 'No prediction'}.{mine}"
    if not chosen:
        return options.sentence(rows, chosen, lowest)
    right = options.best(rows, lowest)
    said = f"{votes[right]} of {len(chosen)} chose the {'lowest' if lowest else 'highest'}, “{right}”."
    return f"{capitalised(answers.read(rows))}. {said}{mine}"


def _stacked(
    values: Sequence[float],
    own: float | None,
    ticks: Sequence[tuple[float, str]],
    measured: tuple[float, float, float, str] | None,
    chance: float | None,
    bins: int,
    colours: Colours,
    sentence: str,
) -> str:
    """Draw one dot for each value above an axis, and what was measured between the two.

    Args:
        values: In the unit of the axis.
        own: The one that is marked, or None.
        ticks: Values of the axis with their names, from its lower end to its upper.
        measured: Lower end, value and upper end of what was measured, and how that is written; or None.
        chance: Level of chance, or None.
        bins: Places at which dots may stand.
        colours: Of the marks.
        sentence: How it is read aloud.
    """
    first, span = ticks[0][0], ticks[-1][0] - ticks[0][0]

    def at(value: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * min(max((value - first) / span, 0.0), 1.0)

    def bin_of(value: float) -> int:
        return round((value - first) / span * (bins - 1))

    stacks = Counter(map(bin_of, values))
    highest = max(stacks.values(), default=1)
    step = min(2 * _RADIUS, _STACK / highest)
    floor = _LINE + step * highest + _RADIUS
    parts = [] if chance is None else [_chance(at(chance), floor + _LINE, colours[2])]
    for number, count in sorted(stacks.items()):
        x = at(first + span * number / (bins - 1))
        for place in range(count):
            mine = place == 0 and own is not None and bin_of(own) == number
            ring = ' stroke="currentColor" stroke-width="2.5"' if mine else ""
            y = floor - _RADIUS - step * place
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" style="fill:{colours[1]}"{ring}/>')
    if measured is not None:
        low, value, high = (at(end) for end in measured[:3])
        parts += _measured(low, value, high, floor + _LINE, measured[3], colours[0])
        floor += 2 * _LINE
    parts.append(_rule(_MARGIN, _WIDTH - _MARGIN, floor + 3))
    for place, (value, name) in enumerate(ticks):
        anchor, aside = ("start", -6) if place == 0 else ("end", 6) if place == len(ticks) - 1 else ("middle", 0)
        parts.append(_text(at(value) + aside, floor + _LINE + 3, name, anchor))
    return _drawn(parts, floor + 1.6 * _LINE, sentence)


def _spread(row: Any, predictions: Sequence[float]) -> str:
    """Return the median, and from four predictions on the middle half, to stand behind their number."""
    if not predictions:
        return ""
    if len(predictions) < 4:
        return f": {', '.join(_written(row, value) for value in sorted(predictions))}"
    first, middle, third = quantiles(predictions, n=4, method="inclusive")
    half = f", half of them from {_written(row, first)} to {_written(row, third)}"
    return f" with the median {_written(row, middle)}{half}"


def _lie(count: int) -> str:
    return "lies" if count == 1 else "lie"


def _written(row: Any, value: float) -> str:
    return answers.written(value, row.is_share, row.unit)


def _measured(low: float, value: float, high: float, y: float, written: str, colour: str) -> list[str]:
    """Return a point with its interval, and what is written beside it where there is room."""
    left = value > _WIDTH / 2
    x, anchor = (low - 9, "end") if left else (high + 9, "start")
    line = f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" style="stroke:{colour}" stroke-width="3"/>'
    point = f'<circle cx="{value:.1f}" cy="{y}" r="6" style="fill:{colour}"/>'
    return [line, point, _text(x, y + 5, written, anchor, bold=True)]


def _chance(x: float, height: float, colour: str) -> str:
    line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_LINE}" y2="{height:.1f}" style="stroke:{colour}" stroke-width="2"'
    return f'{line} stroke-dasharray="6 4"/>{_text(x, _LINE - 4, "chance", "middle")}'


def _rule(left: float, right: float, y: float) -> str:
    return f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" stroke-opacity="0.5"/>'


def _text(x: float, y: float, said: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(said)}</text>'


def _drawn(parts: Sequence[str], height: float, sentence: str) -> str:
    """Return the drawing; it has the sentence as its name."""
    box = f'viewBox="0 0 {_WIDTH} {height:.0f}" width="100%" role="img" aria-label="{escape(sentence)}"'
    look = f'font-size="13" fill="currentColor" font-family="inherit" style="{_SIZE}"'
    return f"<svg xmlns='http://www.w3.org/2000/svg' {box} {look}>{''.join(parts)}</svg>"
