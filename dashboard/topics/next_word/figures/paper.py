"""Tables 4 and 5 of Mahloujifar et al. 2021, on membership through a language model, and how ours stand beside them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, Result
from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, measured, variant
from dashboard.topics.next_word.figures.context_queries import perplexity

MEASURES = {
    "accuracy": "Accuracy: share of right guesses",
    "precision": "Precision: members among the accused",
    "recall": "Recall: share of members found",
}
"""What Table 5 prints, as the title of an axis."""

MODELS = {"lstm_lm": "LSTM here", "transformer_lm": "Transformer here"}
"""What our results are called, by the part that is attacked; also the name of each series."""

SAYS = (
    "The paper’s data, the Avocado e-mails of 100 users, are not public, and ours differ from them. Its ± is a "
    "standard deviation over five runs; our intervals are 95% intervals over users and target models. Its baseline 2 "
    "calls the words of GloVe common."
)
"""What has to be known before its figures and ours are compared."""

PAPER = "LSTM in the paper"
_ATTACK = "next_word"
_TABLE_5: Mapping[str, Mapping[str, tuple[float, float]]] = {
    _ATTACK: {"accuracy": (0.708, 0.023), "precision": (0.67, 0.025), "recall": (0.82, 0.047)},
    "all_pairs": {"accuracy": (0.5, 0.0), "precision": (0.5, 0.0), "recall": (1.0, 0.0)},
    "uncommon_pairs": {"accuracy": (0.637, 0.032), "precision": (0.69, 0.042), "recall": (0.478, 0.066)},
}
"""Adversary and measure to the mean and what is printed after ±."""
_TABLE_4 = {"train": "94.7 ± 3.16", "test": "107.74 ± 2.55"}
_TEST_TO_TRAIN = 107.74 / 94.70
_LOOKS = dict(zip(MODELS.values(), theme.distinct(2), strict=True)) | {PAPER: theme.Mark(theme.PAPER, "diamond", "dot")}
_LANE = 23
_COLUMNS = ("adversary", "model", "value", "low", "high", "deviation")

Results = Mapping[str, Result]
"""Our results by what they are called, see `MODELS`."""


def points(measure: str, results: Results) -> pd.DataFrame:
    """Return one measure of each adversary: ours with interval, the paper's with what it prints after ±."""
    rows = []
    for adversary, printed in _TABLE_5.items():
        for model in MODELS.values():
            found = _found(results.get(model), measure, adversary)
            if found is not None:
                ends = {"value": found.value, "low": found.low, "high": found.high}
                rows.append({"adversary": adversary, "model": model, **ends})
        value, off = printed[measure]
        rows.append({"adversary": adversary, "model": PAPER, "value": value, "deviation": off})
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    return frame.astype(dict.fromkeys(_COLUMNS[2:], "float64"))


def figure(measure: str, results: Results) -> go.Figure:
    """Draw one measure: a group for each adversary, in it our models and the paper's.

    Args:
        measure: One of `MEASURES`.
        results: Ours.
    """
    shown = points(measure, results)
    series = [name for name in _LOOKS if name in set(shown["model"])]
    group = len(series) + 1.3
    inner = int(_LANE * (group * len(_TABLE_5) + 0.6))
    drawing = theme.blank(MEASURES[measure], "", height=theme.TOP + theme.BOTTOM + 19 + inner, legend=True)
    low = (shown["value"] - shown["deviation"]).fillna(shown["low"])
    drawing.update_xaxes(range=[theme.floor(low), 1.04], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[group * len(_TABLE_5) + 0.2, -0.4], showgrid=False, showticklabels=False)
    theme.level(drawing, x=0.5)
    drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor="right", xshift=-3)
    top = {adversary: group * place for place, adversary in enumerate(_TABLE_5)}
    for lane, name in enumerate(series):
        own = shown[shown["model"] == name]
        _series(drawing, own, [top[adversary] + 1 + lane for adversary in own["adversary"]], name)
    for adversary, at in top.items():
        theme.note(
            drawing,
            f"<b>{variant(adversary, _ATTACK)}</b>",
            xref="x domain",
            x=0,
            xanchor="left",
            y=at + 0.1,
            yanchor="middle",
            bgcolor=theme.veil(theme.BACKGROUND, 0xC0),
        )
    return drawing.figure()


def sentence(measure: str, results: Results) -> str:
    """Read one measure of the attack aloud, ours beside the paper's."""
    value, off = _TABLE_5[_ATTACK][measure]
    said = [f"The paper prints {_printed(value, off)} for the attack."]
    for name, result in results.items():
        own = _found(result, measure, _ATTACK)
        if own is None:
            said.append(f"{name}: not measurable, for nobody was accused.")
        else:
            share = measured(own.value, own.low, own.high, named=len(said) == 1)
            said.append(f"{name}: {share}, {_side(own, value)}.")
    return " ".join(said)


def quality(results: Results) -> pd.DataFrame:
    """Return Table 4 with ours beside it: how undecided each model is on its training text and on other text."""
    rows = [
        {
            "model": name,
            "training documents": _perplexity(result, "train"),
            "new documents": _perplexity(result, "test"),
            "words it knows": _known(result),
        }
        for name, result in results.items()
    ]
    printed = {"training documents": _TABLE_4["train"], "new documents": _TABLE_4["test"]}
    return pd.DataFrame([*rows, {"model": PAPER, **printed, "words it knows": "not printed"}])


def quality_sentence(results: Results) -> str:
    """Say which models overfit more than the paper's."""
    said = []
    for name, result in results.items():
        own = result.estimates
        if {"perplexity_train", "perplexity_test"} <= own.keys():
            ratio = own["perplexity_test"].value / own["perplexity_train"].value
            said.append(f"{ratio:.2f} times ({name})")
    text = f"New documents are {_TEST_TO_TRAIN:.2f} times as perplexing as training documents in the paper"
    if not said:
        return f"{text}. Nothing of ours is computed here yet."
    return f"{text}, here {joined(said)}: the more, the more of its training text a model has kept."


def _found(result: Result | None, measure: str, adversary: str) -> Estimate | None:
    if result is None:
        return None
    return result.estimates.get(measure if adversary == _ATTACK else f"{measure}_{adversary}")


def _series(drawing: Drawing, own: pd.DataFrame, rows: list[float], name: str) -> None:
    mark, printed = _LOOKS[name], name == PAPER
    low = own["value"] - own["deviation"] if printed else own["low"]
    high = own["value"] + own["deviation"] if printed else own["high"]
    drawing.add_scatter(
        x=own["value"],
        y=rows,
        mode="markers",
        name=name,
        marker={
            "color": mark.colour,
            "symbol": f"{mark.symbol}-open" if printed else mark.symbol,
            "size": 13,
            "line": {"color": mark.colour, "width": 3 if printed else 0},
        },
        error_x=intervals.bars(own["value"], low, high, mark.colour, 2 if printed else 3),
        text=[_hover(row) for row in records(own)],
    )


def _hover(row: Any) -> str:
    value = _printed(row.value, row.deviation) if row.model == PAPER else measured(row.value, row.low, row.high)
    return f"<b>{variant(row.adversary, _ATTACK)}</b><br>{row.model}: {value}"


def _printed(value: float, off: float) -> str:
    return f"{100 * value:g}% ± {100 * off:g}"


def _side(own: Estimate, value: float) -> str:
    if own.low <= value <= own.high:
        return "an interval that holds it"
    return "all below that" if own.high < value else "all above that"


def _perplexity(result: Result, name: str) -> str:
    found = result.estimates.get(f"perplexity_{name}")
    return "not measured" if found is None else perplexity(found)


def _known(result: Result) -> str:
    found = result.estimates.get("perplexity_test")
    return "not measured" if found is None or found.chance is None else f"{found.chance:,.0f}"
