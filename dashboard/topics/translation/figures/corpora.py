"""Accuracy by subcorpus, foreign ones included, with the paper's (Hisamoto et al. 2020, Table 4)."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from core.statistics.wording import area, measured_in, percent
from dashboard.kit.figures import foreign, lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import printed
from dashboard.topics.translation.figures.methods import RATIO, accuracy, seen

TITLE = "Accuracy by subcorpus"
_LOOKS: lanes.Looks = {
    "own": Look("half of the pairs are in", theme.Mark(theme.MEMBER, "circle"), 0),
    "foreign": Look("foreign, all pairs are out", theme.Mark(theme.NONMEMBER, "square"), 0),
    "always_out": Look("answering out always, without a query", theme.Mark(theme.THIRD, "triangle-up"), 0),
    "paper": Look("the paper’s subcorpora", theme.Mark(theme.PAPER, "diamond", "dot"), 0, hollow=True),
}
_EMPTY = "The result has no such method."
_CHANCE = 0.5
REMARK = (
    "High accuracy on foreign pairs does not show membership inference. All foreign pairs are out, so an adversary "
    "that predicts out for every bad translation is correct without any evidence. The control is a hard subcorpus that "
    "was trained on: half of its pairs are in, so bad translations do not help there."
)


@once
def points(corpora: pd.DataFrame, features: str, rule: str) -> pd.DataFrame:
    """Return a row for each subcorpus, ours and the paper's, for one method; foreign ones get always out, too."""
    ours = corpora[(corpora["features"] == features) & (corpora["rule"] == rule)]
    rows: list[dict[str, Any]] = [
        {
            "row": foreign.cut(foreign.shown(row.title), 40),
            "series": "foreign" if row.role == "foreign" else "own",
            **accuracy(row),
            "corpus": row.corpus,
            "auc": row.auc,
        }
        for row in sorted(records(ours), key=lambda row: row.role == "foreign")
    ]
    rows += [
        {"row": row["row"], "series": "always_out", "value": 1.0, "corpus": row["corpus"]}
        for row in rows
        if row["series"] == "foreign"
    ]
    rows += [
        {"row": f"<i>{name}</i>", "series": "paper", "value": share, "corpus": name}
        for name, share in zip(printed.SUBCORPORA, printed.BY_SUBCORPUS.get(rule, ()), strict=False)
    ]
    frame = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "corpus", "auc"])
    return frame.astype(dict.fromkeys(("value", "low", "high", "auc"), "float64"))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each subcorpus, the paper's hollow and below."""
    return lanes.by_chance(points, _LOOKS, "Accuracy", _hover, ticks=(".0%", 0.2), empty=_EMPTY)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read the lowest and highest accuracy aloud, then the foreign subcorpora."""
    half_in = points[(points["series"] == "own") & (points["corpus"] != WATERMARKS)]
    trained = records(half_in.dropna(subset="value"))
    foreign_rows = records(points[points["series"] == "foreign"])
    if not trained:
        return _EMPTY
    best, worst = max(trained, key=lambda row: row.value), min(trained, key=lambda row: row.value)
    text = f"Where half of the pairs are in, accuracy is between {measured_in(worst)} ({worst.row})"
    text += f" and {measured_in(best)} ({best.row}); chance is 50%.{_apart(trained)}"
    if foreign_rows:
        text += f" Foreign pairs: {joined([f'{percent(row.value)} ({row.row})' for row in foreign_rows])};"
        text += " an adversary that always answers out is right about 100% of them, and about 50% of the others."
    return text


def _apart(rows: Sequence[Any]) -> str:
    """Say whether the intervals of any two of several subcorpora lie apart."""
    if len(rows) < 2:
        return ""
    best, worst = max(rows, key=lambda row: row.low), min(rows, key=lambda row: row.high)
    if best.low > worst.high:
        return f" It is higher for {best.row} than for {worst.row}, beyond both intervals."
    return f" Of all of them, {UNDECIDED}."


@once
def watermarks(corpora: pd.DataFrame) -> str:
    """Say how well membership of watermarks is inferred; empty where there are none."""
    rows = records(corpora[corpora["corpus"] == WATERMARKS])
    if not rows:
        return ""
    answer = next(row for row in rows if row.answer)
    text = (
        f"Watermarks are sentences of random words that Bob could have planted. By {seen(corpora)} the accuracy of his "
        f"classifier on them is {measured_in(answer, 'accuracy')} (chance: 50%): a translator repeats a watermark only "
        "when it has memorised it."
    )
    for row in rows:
        if (row.features, row.rule) == RATIO:
            claim = "reveals" if row.auc_low > _CHANCE else "is not shown to reveal"
            text += (
                f" The probability of the reference {claim} them: with its likelihood ratio the AUC is "
                f"{area(row.auc, row.auc_low, row.auc_high, named=True)}, where chance is 0.50."
            )
    return text


def _hover(row: Any) -> str:
    if row.series == "always_out":
        return f"<b>{row.row}</b><br>always out: accuracy {percent(row.value)}, as no pair is in"
    if row.series == "paper":
        return f"{row.row}, the paper (Table 4)<br>accuracy {100 * row.value:.1f}%"
    return f"<b>{row.row}</b><br>accuracy {measured_in(row)}"
