"""Accuracy of author inference from embeddings, beside a classifier of the words."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import adversaries, axes, shares, theme, traces
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import UNDECIDED
from dashboard.kit.shared import once
from dashboard.topics.authors.figures import authors

TITLE = "Accuracy, embedding and words"
LABELS_TITLE = "Accuracy by labelled texts"
EMBEDDING, WORDS = "From the embedding", "From the words"
LOOKS = dict(zip((EMBEDDING, WORDS), theme.distinct(2), strict=True))
"""Looks of the two classifiers, the same in every figure."""

EMPTY = "No author has been inferred yet."
_READERS = {"embedding": EMBEDDING, "words": WORDS}


@once
def bars(inferred: pd.DataFrame, by_labels: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars: each adversary on the embedding, and the words with the most labelled texts."""
    every = records(inferred[inferred["secret"] == "all"])
    rows = [(_reader(row.variant, row.adversary, experiment), row) for row in every]
    words = with_most_labels(by_labels, "words")
    rows += [] if words is None else [(WORDS, words)]
    return shares.table([shares.bar(name, name, row) for name, row in rows])


@once
def figure(table: pd.DataFrame, inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> go.Figure:
    """Draw the bars that `bars` returns."""
    looks = {
        _reader(row.variant, row.adversary, experiment): adversaries.mark(row.variant, row.adversary, experiment)
        for row in records(inferred[["variant", "adversary"]].drop_duplicates())
    }
    drawn = shares.figure(table, {**looks, WORDS: LOOKS[WORDS]}, full_axis=True, empty=EMPTY)
    return drawn.update_layout(showlegend=False, margin={"t": theme.TOP})


@once
def sentence(inferred: pd.DataFrame, by_labels: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the accuracy aloud: its ratio to the majority class, and the share of the words' lead that it keeps."""
    attack = answer(inferred, experiment)
    if attack is None:
        return EMPTY
    labels = counted(int(experiment["attack"]["labels"]), "labelled text")
    one, many = authors.nouns(experiment["dataset"])
    text = (
        f"With at most {labels} of each of {counted(several(inferred), one, many)}, the accuracy is "
        f"{measured_in(attack, 'accuracy', named=True)}, {times(attack.accuracy / attack.chance)} chance. Chance, "
        f"always naming the {one} with the most texts, is {percent(attack.chance)}."
    )
    if not attack.low > attack.chance:
        text += " The interval is not above chance: no leak is shown."
    naive = answer(inferred, experiment, "naive")
    if naive is not None:
        text += f" The naive adversary reaches {measured_in(naive, 'accuracy')}."
    return f"{text} {_lead_kept(attack, with_most_labels(by_labels, 'words'))}".rstrip()


@once
def answer(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> Any:
    """Return the row of one adversary, or None."""
    answers = adversaries.attack_rows(inferred, experiment, adversary)
    total = records(answers[answers["secret"] == "all"])
    return total[0] if total else None


@once
def estimates(result: Mapping[str, Estimate], by_labels: pd.DataFrame) -> dict[str, Estimate]:
    """Return the estimates of a result, with the ratio to the majority class and the accuracy from the words."""
    extended = dict(result)
    accuracy = extended.get("accuracy")
    if accuracy is not None and accuracy.chance:
        ratio: dict[str, Any] = {end: value / accuracy.chance for end, value in interval(accuracy).items()}
        extended["times_chance"] = Estimate(
            **ratio,
            chance=1.0,
            unit="times chance",
            help="Accuracy divided by chance, which is always naming the author with the most texts.",
        )
    words = with_most_labels(by_labels, "words")
    if accuracy is not None and words is not None:
        share: dict[str, Any] = interval(words, "accuracy")
        extended["words"] = Estimate(
            **share,
            chance=words.chance,
            unit=accuracy.unit,
            decisions=accuracy.decisions,
            help="Accuracy of a classifier of the words of the texts, which the adversary does not have.",
        )
    return extended


@once
def several(inferred: pd.DataFrame) -> int:
    """Return the number of candidate authors."""
    return int(inferred["values"].max()) if len(inferred) else 0


@once
def behind(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Describe the victims, the authors and the adversaries."""
    victims = counted(int(inferred["victims"].max()) if len(inferred) else 0, "text")
    one, many = authors.nouns(experiment["dataset"])
    sentences = (
        f"{victims} of {counted(several(inferred), one, many)}, each a victim once.",
        "Authors differ in style, but also in topics and in the names they mention.",
        f"Intervals draw {many} again, then the texts of each, so that they hold for other {many} too.",
        adversaries.explanation(experiment),
    )
    return " ".join(filter(None, sentences))


@once
def by_labels_figure(by_labels: pd.DataFrame) -> go.Figure:
    """Draw accuracy by labelled texts of each author, for the embedding and for the words."""
    drawing = theme.blank("Labelled texts of each author, at most", theme.ACCURACY, legend=True)
    measured_rows = by_labels[by_labels["accuracy"].notna()]
    if measured_rows.empty:
        return theme.empty(drawing, "No classifier was trained.")
    steps = sorted({int(step) for step in measured_rows["labels"]})
    axis = axes.logarithmic(steps[0], steps[-1])
    drawing.update_xaxes(**{**axis, "tickvals": steps, "ticktext": [f"{step:,}" for step in steps]})
    top = float(measured_rows[["accuracy", "high"]].max().max())
    drawing.update_yaxes(range=[-0.07 * top, min(top + 0.08, theme.WHOLE)], tickformat=".0%", nticks=8)
    theme.level(drawing, y=float(measured_rows["chance"].iloc[0]), text="chance")
    for reader, name in _READERS.items():
        part = measured_rows[measured_rows["reader"] == reader].sort_values("labels")
        if len(part):
            hover = [
                f"<b>{name}</b>, {counted(int(row.labels), 'labelled text')} of each<br>accuracy "
                f"{measured_in(row, 'accuracy')}; chance {percent(row.chance)}"
                for row in records(part)
            ]
            columns = ("labels", "accuracy", "low", "high")
            traces.interval_line(drawing, part, columns, LOOKS[name], name, hover, size=10)
    return drawing.figure()


@once
def by_labels_sentence(by_labels: pd.DataFrame) -> str:
    """Read the lines aloud: both ends, and the number of labels from which the embedding beats chance."""
    embedding, words = (by_labels[by_labels["reader"] == reader].sort_values("labels") for reader in _READERS)
    if embedding.empty:
        return "No classifier was trained."
    first, last = records(embedding)[0], records(embedding)[-1]
    shown = f"{measured_in(last, 'accuracy', named=True)} with {last.labels:,}"
    if len(embedding) == 1:
        text = f"The accuracy from the embedding is {shown}"
    else:
        text = (
            f"The accuracy from the embedding is {percent(first.accuracy)} with "
            f"{counted(int(first.labels), 'labelled text')} of each author, and {shown}"
        )
    text += f" (chance: {percent(last.chance)})."
    if (enough := from_on(records(embedding), lambda row: row.low > row.chance)) is not None:
        text += f" From {counted(int(enough.labels), 'text')} of each on, its interval is above chance."
    else:
        text += " Its interval is not above chance."
    return f"{text} {_labels_needed(last, words)}".rstrip()


def times(ratio: float) -> str:
    """Return a ratio in words.

    >>> times(6.77), times(12.4)
    ('6.8 times', '12.4 times')
    """
    return f"{ratio:.1f} times"


def _reader(variant: str, adversary: str, experiment: Mapping[str, Any]) -> str:
    """Return the name of a bar, which tells the adversaries apart if there are defenses."""
    return adversaries.name(variant, adversary, experiment) if experiment.get("defenses") else EMBEDDING


def _lead_kept(attack: Any, words: Any) -> str:
    """Say how much of the words' lead over chance the embedding keeps."""
    if words is None or not words.low > words.chance:
        return ""
    text = f"A classifier of the words has an accuracy of {measured_in(words, 'accuracy')}"
    if attack.low > words.high:
        return f"{text}: the embedding reveals more than the words."
    if attack.high >= words.low:
        return f"{text}: {UNDECIDED}."
    share = max(attack.accuracy - attack.chance, 0.0) / (words.accuracy - words.chance)
    return f"{text}: the embedding keeps {percent(share)} of their lead over chance."


def _labels_needed(last: Any, words: pd.DataFrame) -> str:
    """Say with how many labels the words reach the accuracy of the embedding with the most labels."""
    enough = words[words["accuracy"] >= last.accuracy]
    if words.empty:
        return ""
    if enough.empty:
        return "The words never reach that accuracy."
    labels = int(enough["labels"].iloc[0])
    return f"The words reach that accuracy with {counted(labels, 'text')} of each."


@once
def with_most_labels(by_labels: pd.DataFrame, reader: str) -> Any:
    """Return a classifier's row with the most labelled texts, or None."""
    rows = records(by_labels[by_labels["reader"] == reader].sort_values("labels"))
    return rows[-1] if rows else None
