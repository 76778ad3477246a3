"""Membership of groups of pairs, all in or all out, by their size (Hisamoto et al. 2020, Figure 7)."""

from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.statistics.grouped import PARTITIONS
from core.statistics.wording import area, decimal, measured, percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods

TITLE = "Groups of pairs"
Measure = Literal["accuracy", "auc"]
MEASURES: dict[Measure, str] = {"accuracy": "Accuracy", "auc": "AUC"}
_MAJORITY = "Bob’s classifier, majority vote (the paper)"
_REMARK = (
    "A group holds pairs of one subcorpus that are all in or all out. Both orange lines are the same classifier: one "
    "takes the majority of its decisions, the other averages its scores. Thresholds{but} come from shadow models; "
    "where these are trained differently from Alice’s translators, the accuracy falls behind the AUC, which needs "
    "no threshold. Intervals draw the pairs of each subcorpus again; subcorpora and translators stay the same."
)
_CHANCE = 0.5


@once
def with_single_pairs(groups: pd.DataFrame, by_method: pd.DataFrame) -> pd.DataFrame:
    """Return the groups with the estimates of single pairs from the table by method, whose intervals differ."""
    keys, ends = ["features", "rule"], [f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")]
    single = groups["size"] == 1
    if not single.any():
        return groups
    measured = groups[single].drop(columns=ends).merge(by_method[[*keys, *ends]], on=keys)
    return pd.concat([measured[groups.columns], groups[~single]], ignore_index=True)


@once
def remark(groups: pd.DataFrame, measure: Measure = "accuracy") -> str:
    """Say what a group, its interval and a method presume, and what an interval that ends at its value tells."""
    text = _REMARK.format(but="")
    if not methods.of(groups, methods.CENTRED).empty:
        text = _REMARK.format(but=", except those by subcorpus,")
        text = f"{text} {methods.without_subcorpora(_without(groups, measure))}".strip()
    rows = [row for part, _ in lines(groups).values() for row in records(part[part["size"] > 1])]
    ending = [row for row in rows if _ends_at_its_value(row, measure)]
    if not ending:
        return text
    row = max(ending, key=lambda row: int(row.size))
    return (
        f"{text} A value is the mean over {PARTITIONS} random partitions of the pairs into groups; each draw of an "
        f"interval makes one partition, such as {counted(int(row.members), 'group')} of {int(row.size):,} pairs in and "
        f"{int(row.others):,} out. Where an interval ends at its value, no more than 2.5% of the draws lie beyond; "
        "where it has no width, at least 95% of the draws are equal."
    )


def _without(groups: pd.DataFrame, measure: Measure) -> str:
    """Return what calibration by shadow models alone reaches for the largest groups, as the end of a sentence."""
    means = methods.of(groups[groups["decision"] == "mean"], methods.CALIBRATED).nlargest(1, "size")
    reached = "is right in" if measure == "accuracy" else "has an AUC of"
    return "".join(
        f"{reached} {_value(row, measure)} for {int(row.size):,} pairs{unshown(row, measure)}" for row in records(means)
    )


def _ends_at_its_value(row: Any, measure: Measure) -> bool:
    """Tell whether an end is the value itself; 0 and 1 are ends of any interval."""
    value, low, high = _of(row, measure)
    return 0 < value < 1 and value in (low, high)


@dataclass(frozen=True)
class Strongest:
    """The most accurate of the drawn methods on groups of one size.

    Attributes:
        name: Its name in the figure.
        row: Its row of the table of groups.
        of: Number of methods compared.
    """

    name: str
    row: Any
    of: int


@once
def strongest(groups: pd.DataFrame, size: int) -> Strongest | None:
    """Return the most accurate of the drawn methods on groups of a size; None where there are no such groups."""
    rows = [(name, row) for name, (part, _) in lines(groups).items() for row in records(part[part["size"] == size])]
    if not rows:
        return None
    name, row = max(rows, key=lambda named_row: named_row[1].accuracy)
    return Strongest(name, row, len(rows))


@once
def lines(groups: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, theme.Mark]]:
    """Return a line for each method that averages scores, and one for the majority vote."""
    keyed = methods.keyed(groups)
    by_name = {}
    for series in methods.drawn(keyed):
        rows = series.of(keyed)
        by_name[series.name] = (rows[rows["decision"] == "mean"].sort_values("size"), series.mark)
    majority = keyed[keyed["decision"] == "majority"].sort_values("size")
    if len(majority):
        by_name[_MAJORITY] = (majority, theme.Mark(theme.MEMBER, "circle-open", "dot"))
    return {name: line for name, line in by_name.items() if len(line[0])}


@once
def figure(groups: pd.DataFrame, measure: Measure = "accuracy") -> go.Figure:
    """Draw a line with its band for each method, group sizes on a logarithmic axis."""
    drawn = lines(groups)
    drawing = theme.blank("Pairs in a group", MEASURES[measure], height=460, legend=True)
    if not drawn:
        return theme.empty(drawing, "There are too few probes for groups.")
    axes.list_series(drawing, 19 * len(drawn))
    sizes = sorted({int(size) for size in groups["size"]})
    drawing.update_xaxes(**axes.logarithmic(sizes[0], sizes[-1]))
    drawing.update_xaxes(tickvals=sizes, ticktext=[f"{size:,}" for size in sizes])
    theme.accuracies(drawing, *(part[f"{measure}_low"] for part, _ in drawn.values()), percent=measure == "accuracy")
    for name, (part, mark) in drawn.items():
        columns = ("size", measure, f"{measure}_low", f"{measure}_high")
        hover = [_hover(name, row, measure) for row in records(part)]
        traces.interval_line(drawing, part, columns, mark, name, hover, width=2)
    return drawing.figure()


@once
def sentence(groups: pd.DataFrame, measure: Measure = "accuracy") -> str:
    """Read the first line aloud from single pairs to large groups, what stays at chance, and what needs the fewest."""
    drawn = lines(groups)
    if not drawn:
        return "There are too few probes for groups."
    name, (part, _) = next(iter(drawn.items()))
    rows = list(records(part))
    text = f"The {MEASURES[measure] if measure == 'auc' else 'accuracy'} of {name} goes from "
    text += f"{_value(rows[0], measure)} for {counted(int(rows[0].size), 'pair')}"
    chance = "50%" if measure == "accuracy" else "0.50"
    text += f" to {_value(rows[-1], measure)} for {int(rows[-1].size):,}{unshown(rows[-1], measure)}; "
    text += f"chance is {chance}."
    if measure == "accuracy":
        text += misplaced(name, rows[0], rows[-1])
    if _MAJORITY in drawn and name != _MAJORITY:
        voted = records(drawn[_MAJORITY][0])[-1]
        text += f" By the majority of its decisions, as in the paper, it is {_value(voted, measure)} "
        text += f"for {int(voted.size):,}{unshown(voted, measure)}."
    read = {next(iter(drawn)), _MAJORITY}
    largest = {other: records(part)[-1] for other, (part, _) in drawn.items() if other not in read}
    at_chance = [
        f"{lowered(other)} with {_value(row, measure)} for {int(row.size):,}"
        for other, row in largest.items()
        if unshown(row, measure)
    ]
    if at_chance:
        text += f" Of the other lines, not shown to be better than chance at the largest groups: {joined(at_chance)}."
    first = {
        name: min((int(row.size) for row in records(part) if getattr(row, f"{measure}_low") > 0.9), default=0)
        for name, (part, _) in drawn.items()
    }
    if fewest := min(filter(None, first.values()), default=0):
        sure, *others = [name for name, size in first.items() if size == fewest]
        needs = f"{joined([sure, *map(lowered, others)])} need{'' if others else 's'}"
        return f"{text} {needs} the fewest for an interval wholly above {_much(measure)}: {counted(fewest, 'pair')}."
    return f"{text} No interval lies wholly above {_much(measure)}."


def misplaced(name: str, fewer: Any, more: Any) -> str:
    """Say why more pairs are less accurate though their scores rank better, with a space before; else nothing."""
    if more.accuracy >= fewer.accuracy or more.auc_low <= fewer.auc_high:
        return ""
    return (
        f" The scores of {lowered(name)} rank {int(more.size):,} pairs better than "
        f"{int(fewer.size):,}: AUC {_value(more, 'auc')} against {_value(fewer, 'auc')}. But the threshold comes from "
        "shadow models, and does not fit Alice’s translators."
    )


def unshown(row: Any, measure: Measure = "accuracy") -> str:
    """Say that a row of groups is not shown to be better than chance; empty where its whole interval is."""
    return "" if getattr(row, f"{measure}_low") > _CHANCE else ", not shown to be better than chance"


def _much(measure: Measure) -> str:
    return "90%" if measure == "accuracy" else "0.90"


def _value(row: Any, measure: Measure) -> str:
    value, low, high = _of(row, measure)
    if not low < high:  # the note below the figure says why
        return percent(value) if measure == "accuracy" else decimal(value)
    return measured(value, low, high) if measure == "accuracy" else area(value, low, high)


def _of(row: Any, measure: Measure) -> tuple[float, float, float]:
    """Return the measure of a row with the ends of its interval."""
    value, low, high = (float(getattr(row, f"{measure}{end}")) for end in ("", "_low", "_high"))
    return value, low, high


def _hover(name: str, row: Any, measure: Measure) -> str:
    groups = f"{int(row.members):,} groups in, {int(row.others):,} out"
    return f"<b>{name}</b><br>{counted(int(row.size), 'pair')}: {MEASURES[measure]} {_value(row, measure)}<br>{groups}"
