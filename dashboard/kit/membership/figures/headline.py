"""Accuracy and AUC of the attack for each target size, beside baselines and an adversary without access to a model."""

from collections.abc import Collection, Mapping
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.statistics import ties
from core.statistics.intervals import difference, low_of_many, of_many
from core.statistics.wording import area, decimal, measured, measured_in, percent
from core.statistics.wording.naming import capitalised, documents
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, variant
from dashboard.kit.membership.figures import leak
from dashboard.kit.membership.figures.curve import BASELINE, CONTROL, accuracies, final
from dashboard.kit.shared import once

Measure = Literal["accuracy", "auc"]
"""The adversary that queries no model."""
_CONTROLS = {CONTROL: "words", "other_pairs": "pairs"}
"""Adversaries that choose at random, and what they choose."""
_MOST_NAMED = 2
"""More adversaries than this that may rank better are counted, not named."""
_TITLES: dict[Measure, str] = {"accuracy": theme.ACCURACY, "auc": "AUC: area under the ROC curve"}
_ENDS: dict[Measure, tuple[str, str]] = {"accuracy": ("low", "high"), "auc": ("auc_low", "auc_high")}
_ROW, _RISE = 40, 20
"""Height of a row, and how far its name stands above its point, so that it covers no mark; in pixels."""


def place(name: str, attack: str) -> tuple[int, str]:
    """Return where an adversary stands among others, so that it looks the same in all figures of a page."""
    return {attack: -2, BASELINE: -1, BLIND: 1}.get(name, 0), name


@once
def outcomes(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the last point of every adversary for each target size, the attack first, the blind one last."""
    answers = curve[curve["penalty"].isna()]
    by_size = answers[answers["size"] > 0]
    answers = (by_size if len(by_size) else answers).sort_values("shadows", kind="stable")
    last = answers.groupby(["variant", "size"], sort=False).tail(1)
    return (
        last.assign(order=last["variant"].map(lambda name: place(name, attack)))
        .sort_values(["order", "size"], kind="stable")
        .drop(columns="order")
        .reset_index(drop=True)
    )


@once
def figure(
    curve: pd.DataFrame, attack: str, measure: Measure = "accuracy", chance: tuple[str, float] = ("chance", 0.5)
) -> go.Figure:
    """Draw one point with its interval for each adversary, in one group for each target size.

    Args:
        curve: Table of the game.
        attack: Name of the attack.
        measure: What is drawn.
        chance: Name and value of what an adversary must exceed.
    """
    table = outcomes(curve, attack)
    table = table[table[measure].notna()]
    sizes = sorted(table["size"].unique())
    names = list(dict.fromkeys(table["variant"]))
    spacing = len(names) + 0.6
    drawing = theme.blank(_TITLES[measure], "", inner=int(_ROW * max(spacing * len(sizes), 4)))
    low, high = _ENDS[measure]
    drawing.update_xaxes(
        range=[theme.floor(table[low]), theme.WHOLE], tickformat=".0%" if measure == "accuracy" else ".1f", dtick=0.1
    )
    theme.level(drawing, x=chance[1], text=chance[0])
    if table.empty:
        return theme.empty(drawing, "Not measurable: members and non-members are both needed.")
    top = {size: spacing * group for group, size in enumerate(sizes)}
    for number, (name, mark) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        points, title = table[table["variant"] == name], variant(name, attack)
        heights = [top[size] + number for size in points["size"]]
        colour = theme.INK if name == BLIND else mark.colour
        size, thickness = (15, 3) if name == attack else (11, 2)
        error = intervals.bars(points[measure], points[low], points[high], colour, thickness)
        hover = [_hover(title, row, measure) for row in records(points)]
        look = theme.Mark(colour, mark.symbol)
        scatter.points(drawing, points[measure], heights, look, title, hover, size=size, error_x=error)
        for y, size in zip(heights, points["size"], strict=True):
            text = f"<b>{documents(int(size))}: {title.lower()}</b>" if name == names[0] else title
            traces.left_label(drawing, text, y, yshift=_RISE)
    drawing.update_yaxes(range=[spacing * len(sizes) - 1, -0.85], showgrid=False, showticklabels=False)
    return drawing.figure()


@once
def sentence(
    curve: pd.DataFrame,
    attack: str,
    free: tuple[float, float] | None = None,
    scores: pd.DataFrame | None = None,
) -> str:
    """Read the headline aloud: the attack, its baselines, and whether the split itself leaks.

    Args:
        curve: Table of the membership game.
        attack: The attack.
        free: Ends of the interval of the blind baseline over targets of all sizes, where it was measured.
        scores: Table of the same game, which has the secret bits; without it they are taken for even.
    """
    last, table = final(curve, attack), outcomes(curve, attack)
    if last.empty:
        return "This result holds no decision of the attack."
    constants = {} if scores is None else leak.constant(scores)
    above = last[last["low"] > leak.CHANCE]
    alone = 1 if len(above) == len(last) else len(last)  # where every interval is above chance, none was picked
    doubts = {row.size: leak.doubt(row, constants, alone) for row in records(above)}
    shown = [size for size, doubt in doubts.items() if not doubt]
    text, others = f"The attack is right in {accuracies(last)}; chance is 50%.", ""
    if shown:
        others = _surpassed(table[~table["variant"].isin([BASELINE, *_CONTROLS])], attack, "accuracy")
    if len(shown) == len(last):
        every = "The interval lies" if len(last) == 1 else "Every interval lies"
        text += f" {every} above chance: the model leaks membership."
    elif shown:
        text += f" A leak is shown for {joined([documents(size) for size in shown])} only."
    elif below := [row.size for row in records(last) if _highest(row, len(last)) < leak.CHANCE]:
        where = f"For {joined([documents(size) for size in below])} it" if len(last) > 1 else "It"
        text += f" {where} is below chance: the adversary is misled."
    else:
        text += f" {_undecided(table, attack, constants)}"
    if scores is not None and (tied := ties.sentence(scores)):
        text += f" {tied}"
    for size in [size for size in doubts if doubts[size]]:
        text += f" For {documents(size)} the interval lies above chance, but {doubts[size]}."
    return " ".join(filter(None, (text, others, _baseline(table), _control(table, attack), _split(table, free))))


@once
def auc_sentence(curve: pd.DataFrame, attack: str, tied: Collection[int] = ()) -> str:
    """Read the ranking aloud, beside those of the baselines.

    Args:
        curve: Table of the membership game.
        attack: The attack.
        tied: Sizes of targets whose scores are all equal, so that they rank nothing.
    """
    last = final(curve, attack)
    last = last[last["auc"].notna()]
    if last.empty:
        return "AUC is not measurable: it needs both members and non-members."
    table = outcomes(curve, attack)
    equal = ""
    if tied:
        sizes = joined([documents(size) for size in tied])
        equal = f"For {sizes} all scores of the attack are equal and rank nothing: the AUC is 0.50 by construction."
        last = last[~last["size"].isin(list(tied))]
    if last.empty:
        return " ".join(filter(None, (equal, _surpassed(table, attack, "auc"))))
    areas = [
        f"{area(row.auc, row.auc_low, row.auc_high, named=not number)} for {documents(row.size)}"
        for number, row in enumerate(records(last))
    ]
    text = f"A member scores above a non-member with a probability of {joined(areas)}; chance is 0.50."
    if not (above := last["auc_low"] > 0.5).all():
        sizes = joined([documents(int(size)) for size in last[~above]["size"]])
        text += f" For {sizes} the ranking is not shown to be better than chance."
    return " ".join(filter(None, (text, equal, _surpassed(table, attack, "auc"), _unvaried(table, attack))))


def _undecided(table: pd.DataFrame, attack: str, constants: Mapping[int, float]) -> str:
    """Say whether another adversary shows the leak that the attack does not."""
    by_attack = table[table["variant"] == attack]
    compared = table[~table["variant"].isin([BLIND, *_CONTROLS])]
    above = compared[(compared["variant"] != attack) & (compared["low"] > leak.CHANCE)]
    best_first = records(above.sort_values("accuracy", ascending=False, kind="stable"))
    doubts = [leak.doubt(row, constants, len(compared), ranks=True) for row in best_first]
    if best := next((row for row, doubt in zip(best_first, doubts, strict=True) if not doubt), None):
        text = "These decisions are not shown to be better than chance."
        if (table[table["variant"] == BLIND]["low"] > leak.CHANCE).any():
            free = "But the blind baseline, which asks no model, is above chance, too: no leak of the model is shown."
            return f"{text} {_right(best)}. {free}"
        every = f"above chance even when widened for all {len(compared)} intervals"
        return f"{text} The model leaks all the same: {_right(best)}, {every}."
    ranks = any(low_of_many(row.auc, row.auc_low, len(by_attack)) > leak.CHANCE for row in records(by_attack))
    text = "these decisions show no leak, though the ranking does (AUC)." if ranks else "no leak is shown."
    text = (
        capitalised(text)
        if (by_attack["low"] > leak.CHANCE).any()
        else f"None of its intervals lies above chance: {text}"
    )
    if best_first:
        text += f" {_right(best_first[0])}, which shows none either: {doubts[0]}."
    return text


def _highest(row: Any, intervals: int) -> float:
    return of_many(interval_of(row, "accuracy", *_ENDS["accuracy"]), intervals).high


def _right(row: Any) -> str:
    return f"“{variant(row.variant)}” is right in {measured_in(row, 'accuracy')} for {documents(row.size)}"


def _baseline(table: pd.DataFrame) -> str:
    accuracies = [percent(row.accuracy) for row in records(table[table["variant"] == BASELINE])]
    return f"By plain L2 distance, as in the paper, it would be {joined(accuracies)}." if accuracies else ""


def _surpassed(table: pd.DataFrame, attack: str, measure: Measure) -> str:
    """Name the variants that are better than the attack beyond the interval of the difference, then those that may."""
    by_size = {row.size: row for row in records(table[table["variant"] == attack])}
    other_rows = table[~table["variant"].isin([attack, BLIND])].sort_values(measure, ascending=False, kind="stable")
    written = percent if measure == "accuracy" else decimal
    better: list[str] = []
    unsure: list[Any] = []
    for row in records(other_rows):
        attack_row = by_size.get(row.size)
        if attack_row is not None and getattr(row, measure) > getattr(attack_row, measure):
            first, second = (interval_of(each, measure, *_ENDS[measure]) for each in (row, attack_row))
            if difference(first, second).low > 0:
                value = written(getattr(row, measure))
                better.append(f"“{variant(row.variant)}” with {value} for {documents(row.size)}")
            else:
                unsure.append(row)
    verb = "are right more often" if measure == "accuracy" else "rank better"
    sentences = [f"These {verb}, with an interval of the difference above 0: {joined(better)}." if better else ""]
    if unsure:
        names = list(dict.fromkeys(f"“{variant(row.variant)}”" for row in unsure))
        who = joined(names) if len(names) <= _MOST_NAMED else f"{len(names)} {'other ' if better else ''}adversaries"
        reach = f"reach{'es' if len(names) == 1 else ''} {'up to ' if len(names) > 1 else ''}"
        best = {row.size: getattr(row, measure) for row in reversed(unsure)}  # the best of each size comes first
        reached = joined([f"{written(best[size])} for {documents(size)}" for size in sorted(best)])
        sentences.append(f"{who} {reach}{reached}; the interval of the difference includes 0.")
    return " ".join(filter(None, sentences))


def _unvaried(table: pd.DataFrame, attack: str) -> str:
    """Say why a ranking without a mistake may have a wide interval."""
    perfect = table[(table["auc"] == 1) & (table["auc_low"] < table["auc_high"])]
    if perfect.empty:
        return ""
    names = joined([f"“{variant(name, attack)}”" for name in dict.fromkeys(perfect["variant"])])
    return (
        f"With AUC 1, as of {names}, no resample differs: the interval is Wilson’s bound for as few cases as there are "
        "plays or targets, which is wide."
    )


def _control(table: pd.DataFrame, attack: str) -> str:
    """Say whether the choice of words or pairs matters, where the attack has that control."""
    control = records(table[table["variant"].isin(_CONTROLS)])
    if not control:
        return ""
    noun = _CONTROLS[control[0].variant]
    text = f"With as many random other {noun} it would be {joined([percent(row.accuracy) for row in control])}"
    by_size = {row.size: row for row in records(table[table["variant"] == attack])}
    better = [row.size for row in control if row.size in by_size and by_size[row.size].low > max(row.high, 0.5)]
    if len(better) == len(control):
        return f"{text}: the choice of {noun} matters."
    where = f"shown for {joined([documents(size) for size in better])} only" if better else "not shown"
    return f"{text}: that the choice of {noun} matters is {where}."


def _split(table: pd.DataFrame, overall: tuple[float, float] | None) -> str:
    free = table[table["variant"] == BLIND]
    if free.empty:
        return ""
    off = free[(free["low"] > 0.5) | (free["high"] < 0.5)]
    if len(off) or (overall is not None and not overall[0] <= 0.5 <= overall[1]):
        sizes = joined([documents(int(size)) for size in off["size"]]) or "all sizes together"
        return f"Beware: the blind baseline differs from chance too ({sizes}), so the split itself may leak."
    return "The blind baseline is not shown to differ from chance, as it should be."


def _hover(name: str, row: Any, measure: Measure) -> str:
    low, high = (getattr(row, end) for end in _ENDS[measure])
    value = getattr(row, measure)
    text = measured(value, low, high) if measure == "accuracy" else area(value, low, high)
    return f"<b>{name}</b>, {documents(row.size)}<br>{_TITLES[measure].split(':')[0]} {text}"
