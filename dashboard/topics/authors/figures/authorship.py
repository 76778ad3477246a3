"""How often the author of a text was named from its embedding, beside what the words themselves give."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from dashboard.kit.figures import adversaries, intervals, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.topics.authors.figures import authors

TITLE = "Who wrote it, by one guess"
LABELS_TITLE = "How few labelled texts are enough"
EMBEDDING, WORDS = "From the embedding", "From the words"
LOOKS = dict(zip((EMBEDDING, WORDS), theme.distinct(2), strict=True))
"""The two readers' names and looks, the same in every figure."""

_READERS = {"embedding": EMBEDDING, "words": WORDS}


def bars(inferred: pd.DataFrame, by_labels: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars: each adversary of the embedding, and the words with as many labelled texts."""
    told = [
        (_reader(row.variant, row.adversary, experiment), row) for row in records(inferred[inferred["secret"] == "all"])
    ]
    words = _most(by_labels, "words")
    return shares.table(
        [
            {
                "group": name,
                "series": name,
                "value": row.accuracy,
                "low": row.low,
                "high": row.high,
                "chance": row.chance,
            }
            for name, row in (*told, *([(WORDS, words)] if words is not None else ()))
        ]
    )


def figure(told: pd.DataFrame, inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> go.Figure:
    """Draw the bars that `bars` returns."""
    looks = {
        _reader(row.variant, row.adversary, experiment): adversaries.mark(row.variant, row.adversary, experiment)
        for row in records(inferred[["variant", "adversary"]].drop_duplicates())
    }
    drawn = shares.figure(told, {**looks, WORDS: LOOKS[WORDS]}, whole=True, empty="No author has been named yet.")
    return drawn.update_layout(showlegend=False, margin={"t": theme.TOP})


def sentence(inferred: pd.DataFrame, by_labels: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the answer aloud: how often, how many times chance, and how much of the words' lead is left."""
    own = answer(inferred, experiment)
    if own is None:
        return "No author has been named yet."
    labels = counted(int(experiment["attack"]["labels"]), "labelled text")
    text = (
        f"With at most {labels} of each of {several(inferred)} authors, the attack names the author of "
        f"{measured(own.accuracy, own.low, own.high, named=True)} of the texts: {times(own.accuracy / own.chance)} "
        f"what always naming the most frequent one gives, {percent(own.chance)}."
    )
    if not own.low > own.chance:
        text += " The interval does not lie above chance: no leak is shown."
    naive = answer(inferred, experiment, "naive")
    if naive is not None:
        text += f" The naive adversary reaches {measured(naive.accuracy, naive.low, naive.high)}."
    return f"{text} {_kept(own, _most(by_labels, 'words'))}".rstrip()


def answer(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> Any:
    """Return the row of one adversary's answer, or None without one."""
    own = adversaries.attack_rows(inferred, experiment, adversary)
    found = records(own[own["secret"] == "all"])
    return found[0] if found else None


def estimates(result: Mapping[str, Estimate], by_labels: pd.DataFrame) -> dict[str, Estimate]:
    """Return the figures of a result, and with them how many times chance the attack reaches, and the words' share."""
    found = dict(result)
    own = found.get("accuracy")
    if own is not None and own.chance:
        found["times_chance"] = Estimate(
            value=own.value / own.chance,
            low=own.low / own.chance,
            high=own.high / own.chance,
            chance=1.0,
            unit="times chance",
            help="How many times as often the author is named as by always naming the same.",
        )
    words = _most(by_labels, "words")
    if own is not None and words is not None:
        found["words"] = Estimate(
            value=words.accuracy,
            low=words.low,
            high=words.high,
            chance=words.chance,
            unit=own.unit,
            decisions=own.decisions,
            help="What a classifier of the texts' own words reaches, which the adversary does not have.",
        )
    return found


def several(inferred: pd.DataFrame) -> int:
    """Return among how many authors there was to choose."""
    return int(inferred["values"].max()) if len(inferred) else 0


def behind(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Return what was asked, of whom, and what tells authors apart."""
    asked = counted(int(inferred["victims"].max()) if len(inferred) else 0, "text")
    return " ".join(
        filter(
            None,
            (
                f"{asked} of {several(inferred)} authors, each asked about once.",
                authors.are(str(experiment["dataset"]["part"])),
                "What tells authors apart is how they write, but also what about and with which names.",
                adversaries.explanation(experiment),
            ),
        )
    )


def by_labels_figure(by_labels: pd.DataFrame) -> go.Figure:
    """Draw accuracy against labelled texts of each author, a line for the embedding and one for the words."""
    drawing = theme.blank("Labelled texts of each author, at most", theme.ACCURACY, legend=True)
    known = by_labels[by_labels["accuracy"].notna()]
    if known.empty:
        return theme.empty(drawing, "No classifier was trained.")
    steps = sorted({int(step) for step in known["labels"]})
    axis = theme.logarithmic(steps[0], steps[-1])
    drawing.update_xaxes(**{**axis, "tickvals": steps, "ticktext": [f"{step:,}" for step in steps]})
    top = float(known[["accuracy", "high"]].max().max())
    drawing.update_yaxes(range=[-0.07 * top, min(top + 0.08, 1.04)], tickformat=".0%", nticks=8)
    theme.level(drawing, y=float(known["chance"].iloc[0]))
    for reader, name in _READERS.items():
        part = known[known["reader"] == reader].sort_values("labels")
        if len(part):
            said = [
                f"<b>{name}</b>, {counted(int(row.labels), 'labelled text')} of each<br>"
                f"right: {measured(row.accuracy, row.low, row.high)}; guessing {percent(row.chance)}"
                for row in records(part)
            ]
            intervals.line(
                drawing,
                part["labels"],
                part["accuracy"],
                part["low"],
                part["high"],
                LOOKS[name],
                name=name,
                said=said,
                size=10,
            )
    return drawing.figure()


def by_labels_sentence(by_labels: pd.DataFrame) -> str:
    """Read the lines aloud: where they begin and end, from how many labels on the embedding beats guessing."""
    own, words = (by_labels[by_labels["reader"] == reader].sort_values("labels") for reader in _READERS)
    if own.empty:
        return "No classifier was trained."
    first, last = records(own)[0], records(own)[-1]
    shown = f"{measured(last.accuracy, last.low, last.high, named=True)} with {last.labels:,}"
    if len(own) == 1:
        text = f"The embedding gives the author away in {shown}"
    else:
        text = (
            f"The embedding gives the author away in {percent(first.accuracy)} with "
            f"{counted(int(first.labels), 'labelled text')} of each, and in {shown}"
        )
    text += f"; guessing gives {percent(last.chance)}."
    if (enough := _enough(own)) is not None:
        text += f" From {counted(enough, 'text')} of each on, its interval stays above guessing."
    else:
        text += " Its interval does not lie above guessing."
    return f"{text} {_same(last, words)}".rstrip()


def times(ratio: float) -> str:
    """Return how many times as much something is.

    >>> times(6.77), times(12.4)
    ('6.8 times', '12 times')
    """
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:.0f} times"


def _reader(variant: str, adversary: str, experiment: Mapping[str, Any]) -> str:
    """Return what a bar is called: which adversary, where there are two."""
    return adversaries.name(variant, adversary, experiment) if experiment.get("defenses") else EMBEDDING


def _kept(own: Any, words: Any) -> str:
    """Say how much of the words' lead over guessing the embedding keeps."""
    if words is None or not words.low > words.chance:
        return ""
    text = f"A classifier of the words themselves is right in {measured(words.accuracy, words.low, words.high)}"
    if own.low > words.high:
        return f"{text}: the embedding tells more of the author than they do."
    if own.high >= words.low:
        return f"{text}: the intervals overlap, so the embedding is not shown to tell less."
    kept = max(own.accuracy - own.chance, 0.0) / (words.accuracy - words.chance)
    return f"{text}: the embedding keeps {percent(kept)} of their lead over guessing."


def _same(last: Any, words: pd.DataFrame) -> str:
    """Say with how few labels the words give as much as the embedding with the most."""
    enough = words[words["accuracy"] >= last.accuracy]
    if words.empty:
        return ""
    if enough.empty:
        return "The words themselves never give as much."
    labels = int(enough["labels"].iloc[0])
    return f"The words themselves give as much with {counted(labels, 'text')} of each."


def _enough(own: pd.DataFrame) -> int | None:
    """Return from how many labels on the interval lies above chance, with every larger number too."""
    found = None
    for row in reversed(records(own)):
        if not row.low > row.chance:
            break
        found = int(row.labels)
    return found


def _most(by_labels: pd.DataFrame, reader: str) -> Any:
    """Return a reader's row with the most labelled texts, or None."""
    own = records(by_labels[by_labels["reader"] == reader].sort_values("labels"))
    return own[-1] if own else None
