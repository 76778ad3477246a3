"""Tables 4 and 5 of Mahloujifar et al. 2021, on membership through a language model, with our results."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, Result
from core.statistics.wording import measured_in
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import is_or_are, joined, variant
from dashboard.kit.shared import once
from dashboard.topics.next_word.figures.context_queries import perplexity

MEASURES = {"accuracy": "Accuracy", "precision": "Precision", "recall": "Recall"}
"""Measures of Table 5 with titles of their axes."""

MODELS = {"lstm_lm": "LSTM here", "transformer_lm": "Transformer here"}
"""Names of our results by model, also of the series."""

NOTE = (
    "The paper’s data, the Avocado e-mails of 100 users, are not public; ours are others. Its ± is a standard "
    "deviation over five runs; our 95% intervals are over users and target models. Its baseline 2 counts the words of "
    "GloVe as common."
)
"""Limits of the comparison."""

PAPER = "LSTM in the paper"
_ATTACK = "next_word"
_TABLE_5: Mapping[str, Mapping[str, tuple[float, float]]] = {
    _ATTACK: {"accuracy": (0.708, 0.023), "precision": (0.67, 0.025), "recall": (0.82, 0.047)},
    "all_pairs": {"accuracy": (0.5, 0.0), "precision": (0.5, 0.0), "recall": (1.0, 0.0)},
    "uncommon_pairs": {"accuracy": (0.637, 0.032), "precision": (0.69, 0.042), "recall": (0.478, 0.066)},
}
"""Mean and printed ± by adversary and measure."""
_TABLE_4 = {"train": "94.7 ± 3.16", "test": "107.74 ± 2.55"}
_TEST_TO_TRAIN = 107.74 / 94.70
_LOOKS = dict(zip(MODELS.values(), theme.distinct(2), strict=True)) | {PAPER: theme.Mark(theme.PAPER, "diamond", "dot")}
_LANE = 23
_COLUMNS = ("adversary", "model", "value", "low", "high", "deviation")

Results = Mapping[str, Result]
"""Our results by name, see `MODELS`."""


@once
def points(measure: str, results: Results) -> pd.DataFrame:
    """Return one measure of each adversary: ours with interval, the paper's with its ±."""
    rows = []
    for adversary, printed in _TABLE_5.items():
        for model in MODELS.values():
            estimate = _estimate(results.get(model), measure, adversary)
            if estimate is not None:
                rows.append({"adversary": adversary, "model": model, **interval(estimate)})
        value, deviation = printed[measure]
        rows.append({"adversary": adversary, "model": PAPER, "value": value, "deviation": deviation})
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    return frame.astype(dict.fromkeys(_COLUMNS[2:], "float64"))


@once
def figure(measure: str, results: Results) -> go.Figure:
    """Draw one of `MEASURES`: a group for each adversary, with our models and the paper's."""
    table = points(measure, results)
    series = [name for name in _LOOKS if name in set(table["model"])]
    group = len(series) + 1.3
    inner = int(_LANE * (group * len(_TABLE_5) + 0.6))
    drawing = theme.blank(MEASURES[measure], "", inner=19 + inner, legend=True)
    low = (table["value"] - table["deviation"]).fillna(table["low"])
    drawing.update_xaxes(range=[theme.floor(low), theme.WHOLE], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[group * len(_TABLE_5) + 0.2, -0.4], showgrid=False, showticklabels=False)
    theme.level(drawing, x=0.5)
    drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor="right", xshift=-3)
    top = {adversary: group * number for number, adversary in enumerate(_TABLE_5)}
    for lane, name in enumerate(series):
        rows = table[table["model"] == name]
        _series(drawing, rows, [top[adversary] + 1 + lane for adversary in rows["adversary"]], name)
    for adversary, height in top.items():
        text = f"<b>{variant(adversary, _ATTACK)}</b>"
        traces.left_label(drawing, text, height + 0.1, bgcolor=theme.veil(theme.BACKGROUND, 0xC0))
    return drawing.figure()


@once
def sentence(measure: str, results: Results) -> str:
    """Read one measure of the attack aloud, the paper's and ours."""
    value, deviation = _TABLE_5[_ATTACK][measure]
    sentences = [f"The paper prints {_printed(value, deviation)} for the attack."]
    for name, result in results.items():
        estimate = _estimate(result, measure, _ATTACK)
        if estimate is None:
            sentences.append(f"{name}: not measurable, as no user was predicted a member.")
        else:
            share = measured_in(estimate, named=len(sentences) == 1)
            sentences.append(f"{name}: {share}, {_side(estimate, value)}.")
    return " ".join([*sentences, *_behind(results)])


@once
def quality(results: Results) -> pd.DataFrame:
    """Return Table 4 with ours: perplexity on training and on new documents."""
    rows = [
        {
            "model": name,
            "training documents": _perplexity(result, "train"),
            "new documents": _perplexity(result, "test"),
            "vocabulary": _vocabulary(result),
        }
        for name, result in results.items()
    ]
    printed = {"training documents": _TABLE_4["train"], "new documents": _TABLE_4["test"]}
    return pd.DataFrame([*rows, {"model": PAPER, **printed, "vocabulary": "not printed"}])


@once
def quality_sentence(results: Results) -> str:
    """Compare the overfitting of our models with the paper's."""
    ratios = []
    for name, result in results.items():
        estimates = result.estimates
        if {"perplexity_train", "perplexity_test"} <= estimates.keys():
            ratio = estimates["perplexity_test"].value / estimates["perplexity_train"].value
            ratios.append(f"{name}: {ratio:.2f} times." if ratio < 10 else f"{name}: {ratio:.0f} times.")
    text = f"In the paper, the perplexity of new documents is {_TEST_TO_TRAIN:.2f} times that of training documents"
    if not ratios:
        return f"{text}. None of our results is computed yet."
    return " ".join([f"{text}.", *ratios, "A higher ratio means more overfitting.", *_behind(results)])


def _behind(results: Results) -> list[str]:
    """Name the results behind a defense, which the paper's are not."""
    defended = [name for name, result in results.items() if result.experiment.get("defenses")]
    verb = is_or_are(len(defended))
    return [f"{joined(defended)} {verb} behind a defense, and the paper’s LSTM is not."] if defended else []


def _estimate(result: Result | None, measure: str, adversary: str) -> Estimate | None:
    if result is None:
        return None
    return result.estimates.get(measure if adversary == _ATTACK else f"{measure}_{adversary}")


def _series(drawing: Drawing, points: pd.DataFrame, rows: list[float], name: str) -> None:
    mark, printed = _LOOKS[name], name == PAPER
    low = points["value"] - points["deviation"] if printed else points["low"]
    high = points["value"] + points["deviation"] if printed else points["high"]
    edge = {"color": mark.colour, "width": 3 if printed else 0}
    error = intervals.bars(points["value"], low, high, mark.colour, 2 if printed else 3)
    hover = [_hover(row) for row in records(points)]
    scatter.points(drawing, points["value"], rows, mark, name, hover, size=13, edge=edge, hollow=printed, error_x=error)


def _hover(row: Any) -> str:
    value = _printed(row.value, row.deviation) if row.model == PAPER else measured_in(row)
    return f"<b>{variant(row.adversary, _ATTACK)}</b><br>{row.model}: {value}"


def _printed(value: float, deviation: float) -> str:
    return f"{100 * value:g}% ± {100 * deviation:g}"


def _side(estimate: Estimate, value: float) -> str:
    if estimate.low <= value <= estimate.high:
        return "an interval that includes it"
    return "an interval below it" if estimate.high < value else "an interval above it"


def _perplexity(result: Result, name: str) -> str:
    estimate = result.estimates.get(f"perplexity_{name}")
    return "not measured" if estimate is None else perplexity(estimate)


def _vocabulary(result: Result) -> str:
    estimate = result.estimates.get("perplexity_test")
    return "not measured" if estimate is None or estimate.chance is None else f"{estimate.chance:,.0f}"
