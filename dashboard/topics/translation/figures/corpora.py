"""How right classifiers are by subcorpus, foreign ones too, beside the paper's (Hisamoto et al. 2020, Table 4)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.translation_membership.split import WATERMARKS
from dashboard.kit.figures import foreign, lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, measured, percent
from dashboard.topics.translation.figures import printed
from dashboard.topics.translation.figures.methods import RATIO

TITLE = "Right guesses by subcorpus"
_LOOKS: lanes.Looks = {
    "own": Look("half of them in", theme.Mark(theme.MEMBER, "circle", "solid"), 0),
    "foreign": Look("foreign, all of them out", theme.Mark(theme.NONMEMBER, "square", "solid"), 0),
    "paper": Look("the paper’s subcorpora", theme.Mark(theme.PAPER, "diamond", "dot"), 0, hollow=True),
}
REMARK = (
    "Right about foreign pairs is not the same as seeing membership. All of them are out, and whoever calls badly "
    "translated pairs out is right about them without knowing anything. The control is a subcorpus that is hard and "
    "was trained on: half of its pairs are in, and there bad translations do not help."
)


def points(corpora: pd.DataFrame, features: str, rule: str) -> pd.DataFrame:
    """Return a row for each subcorpus of ours and of the paper, by what one method says."""
    own = corpora[(corpora["features"] == features) & (corpora["rule"] == rule)]
    rows: list[dict[str, Any]] = [
        {
            "row": foreign.cut(foreign.shown(row.title), 22),
            "series": "foreign" if row.role == "foreign" else "own",
            "value": row.accuracy,
            "low": row.accuracy_low,
            "high": row.accuracy_high,
            "corpus": row.corpus,
            "auc": row.auc,
        }
        for row in sorted(records(own), key=lambda row: row.role == "foreign")
    ]
    rows += [
        {"row": f"<i>{name}</i>", "series": "paper", "value": share, "corpus": name}
        for name, share in zip(printed.SUBCORPORA, printed.BY_SUBCORPUS.get(rule, ()), strict=False)
    ]
    frame = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "corpus", "auc"])
    return frame.astype(dict.fromkeys(("value", "low", "high", "auc"), "float64"))


def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each subcorpus, those of the paper hollow and below."""
    looks = {key: look for key, look in _LOOKS.items() if key in set(points["series"])}
    drawing = lanes.blank("Share of right guesses", points["row"].nunique(), looks, listed=True)
    if points.empty:
        return theme.empty(drawing, "No such method.")
    drawing.update_xaxes(range=[theme.floor(points["low"], points["value"]), 1.03], tickformat=".0%", dtick=0.2)
    lanes.draw(drawing, points, looks, [_said(row) for row in records(points)])
    lanes.chance(drawing, 0.5)
    return drawing.figure()


def sentence(points: pd.DataFrame) -> str:
    """Read the ends aloud: of what was half trained on, and of what is foreign."""
    own = [row for row in records(points[points["series"] == "own"]) if row.corpus != WATERMARKS]
    away = records(points[points["series"] == "foreign"])
    if not own:
        return "No such method."
    best, worst = max(own, key=lambda row: row.value), min(own, key=lambda row: row.value)
    text = f"Where half of the pairs are in: {_measured(worst)} at worst ({worst.row})"
    text += f" and {_measured(best)} at best ({best.row}); guessing gives 50%."
    if away:
        text += f" Foreign pairs: {joined([f'{percent(row.value)} ({row.row})' for row in away])}."
    return text


def planted(corpora: pd.DataFrame) -> str:
    """Say how well watermarks are told; nothing where there are none."""
    own = records(corpora[corpora["corpus"] == WATERMARKS])
    if not own:
        return ""
    answer = next(row for row in own if row.answer)
    text = (
        "Watermarks are sentences of random words that Bob could have planted. By the translations he is right about "
        f"{measured(answer.accuracy, answer.accuracy_low, answer.accuracy_high)} of them, guessing 50%: a translator "
        "repeats one only once it knows it by heart."
    )
    for row in own:
        if (row.features, row.rule) == RATIO:
            text += (
                " How likely it finds them shows earlier that they were there: by the likelihood ratio of the "
                f"reference the AUC is {row.auc:.2f} (95% interval {row.auc_low:.2f}–{row.auc_high:.2f})."
            )
    return text


def _measured(row: Any) -> str:
    return measured(row.value, row.low, row.high)


def _said(row: Any) -> str:
    if row.series == "paper":
        return f"{row.row}, the paper (Table 4)<br>{100 * row.value:.1f}% right"
    return f"<b>{row.row}</b><br>{_measured(row)} right"
