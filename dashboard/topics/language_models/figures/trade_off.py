"""What a fine-tuned language model leaks against how well it predicts, by training and by defense."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.defenses.dp_sgd import DpSgd
from core.defenses.early_stopping import EarlyStopping
from core.experiment import Experiment
from core.result import Estimate, Result
from core.statistics.intervals import Interval, difference
from core.statistics.naming import capitalised, counted, documents
from core.statistics.wording import area
from dashboard.kit import sweeps
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.shared import once
from dashboard.kit.words import number, uncapitalised

TITLE = "Leakage against perplexity"
WHOLE, ADAPTERS = "All weights", "Adapters (LoRA)"
_EMPTY = "No fine-tuned model with this game is computed yet."
_VALUES = ("perplexity", "perplexity_low", "perplexity_high", "auc", "auc_low", "auc_high")
_COLUMNS = ("training", "setting", "order", "epochs", "size", *_VALUES)
_CHANCE = 0.5
_HEIGHT = theme.HEIGHT + 60


def place(experiment: Experiment) -> tuple[str, str, float]:
    """Return the series that an experiment belongs to, its setting, and where it stands along the series."""
    model = experiment.model.as_dict()
    if experiment.defenses:
        (defense,) = experiment.defenses
        title = capitalised(defense.title)
        if isinstance(defense, DpSgd) and defense.unit == "owner":
            title += ", for each owner"
        setting = sweeps.setting(defense) or "in use"
        if isinstance(defense, EarlyStopping):
            setting += ", a tenth of its documents set aside"
        return title, setting, sweeps.strength(defense)
    if rank := int(model["rank"]):
        return ADAPTERS, f"rank {rank}", float(rank)
    epochs = int(model["epochs"])
    return WHOLE, counted(epochs, "epoch") if epochs else "0 epochs (the base)", float(epochs)


def standing(training: str, _: str, order: float) -> tuple[int, str, float]:
    """Return what sorts places: plain training first, then adapters, then defenses by name; each by its strength."""
    first = [WHOLE, ADAPTERS]
    return first.index(training) if training in first else len(first), training, order


@once
def points(results: Iterable[Result]) -> pd.DataFrame:
    """Return a row for each result: the attack on the smallest targets, and the perplexity in new documents.

    Larger targets are told apart by every training, so that they compare none.
    """
    rows: list[dict[str, Any]] = []
    for result in results:
        experiment = Experiment.parse(result.experiment)
        size = min(result.experiment["game"]["target_sizes"])
        attack, quality = _figure(result, f"auc_{size}", "auc"), _figure(result, "perplexity_test")
        if attack is None or quality is None:
            continue
        training, setting, order = place(experiment)
        ends = (quality.value, quality.low, quality.high, attack.value, attack.low, attack.high)
        epochs = int(experiment.model.as_dict()["epochs"])
        row = {"training": training, "setting": setting, "order": order, "epochs": epochs, "size": size}
        rows.append({**row, **dict(zip(_VALUES, ends, strict=True))})
    table = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(dict.fromkeys(_VALUES, "float64"))
    settings = zip(table["training"], table["setting"], table["order"], strict=True)
    places = sorted(range(len(table)), key=[standing(*each) for each in settings].__getitem__)
    return table.loc[places].reset_index(drop=True)


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw a point with both intervals for each row of `points`, and a line through those of one kind of training."""
    titles = "Perplexity in new documents (lower: more useful)", "AUC of the attack (lower: more private)"
    drawing = theme.blank(*titles, height=_HEIGHT, legend=True)
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    drawing.update_yaxes(range=[theme.floor(table["auc_low"]), theme.WHOLE], dtick=0.1, tickformat=".1f")
    theme.level(drawing, y=_CHANCE, left=True)
    names = table["training"].drop_duplicates().tolist()
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = where(table, "training", name)
        traces.series(
            drawing,
            rows["perplexity"],
            rows["auc"],
            mark,
            mode="lines+markers" if len(rows) > 1 else "markers",
            size=11,
            name=name,
            cliponaxis=False,
            error_x=intervals.bars(rows["perplexity"], rows["perplexity_low"], rows["perplexity_high"], mark.colour),
            error_y=intervals.bars(rows["auc"], rows["auc_low"], rows["auc_high"], mark.colour),
            text=[_hover(row) for row in records(rows)],
        )
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Read the figure aloud.

    All weights, trained for as long as most other models; which settings leak less than these, and at what price; which
    leak less than all weights after as many epochs as predict as well; and which show no leak.
    """
    whole = where(table, "training", WHOLE)
    if table.empty or whole.empty:
        return _EMPTY
    others = table[table["training"] != WHOLE]
    usual = others["epochs"].mode().tolist() or [whole["epochs"].max()]
    plain, *_ = records(where(whole, "epochs", usual[0]) if usual[0] in whole["epochs"].tolist() else whole[::-1])
    about = (
        f"All weights, {plain.setting}: the attack on targets of {documents(plain.size)} has an AUC of {_auc(plain)}, "
        f"at a perplexity of {number(plain.perplexity)}."
    )
    rest = table[(table["training"] != WHOLE) | (table["setting"] != plain.setting)]
    unshown = rest[rest["auc_low"] <= _CHANCE]
    chance = f"It is not shown to beat chance with {_listed(unshown)}." if len(unshown) else ""
    return " ".join(filter(None, (about, _weaker(rest, plain), _below(others, whole), chance)))


def _below(others: pd.DataFrame, whole: pd.DataFrame) -> str:
    """Hold settings to all weights that predict as well, on the line between their lengths of training, or better.

    The base is left out: what a part of an epoch leaks is not known. So a setting that predicts worse than the shortest
    length is held to that, and is at most said not to leak less.
    """
    trained = whole[whole["epochs"] > 0].sort_values("perplexity")
    best, worst = trained["perplexity"].min(), trained["perplexity"].max()
    held = others[others["perplexity"] >= best]
    ends = (
        np.interp(held["perplexity"], trained["perplexity"], trained[name]) for name in ("auc", "auc_low", "auc_high")
    )
    less = np.array(
        [
            difference(level, interval_of(row, "auc")).low > 0
            for level, row in zip(map(Interval, *ends), records(held), strict=True)
        ],
        np.bool_,
    )
    below, not_below = held[less & (held["perplexity"] <= worst)], held[~less]
    said = []
    if len(below):
        said.append(
            f"Where all weights predict as well, between the epochs played, they leak more than {_listed(below)}."
        )
    if len(not_below):
        said.append(f"Not shown to leak less than all weights that predict as well or better: {_listed(not_below)}.")
    return " ".join(said)


def _weaker(others: pd.DataFrame, plain: Any) -> str:
    """Say with which settings the attack is weaker than with the plainest training, and what they cost."""
    hidden = others[[difference(interval_of(plain, "auc"), interval_of(row, "auc")).low > 0 for row in records(others)]]
    if hidden.empty:
        return "With no other setting is the attack shown to be weaker."
    perplexity = interval_of(plain, "perplexity")
    free = hidden[[difference(interval_of(row, "perplexity"), perplexity).low <= 0 for row in records(hidden)]]
    if len(free):
        priced = hidden.drop(free.index)
        price = f" At a price of perplexity, it is weaker with {_listed(priced)}, too." if len(priced) else ""
        return f"It is weaker, without a shown loss of perplexity, with {_listed(free)}.{price}"
    best, *others_worse = records(hidden.sort_values("perplexity"))
    if not others_worse:
        worse = f"which predicts worse, at a perplexity of {number(best.perplexity)}"
        return f"It is weaker with {_name(best)}, {worse}."
    return (
        f"It is weaker with {_listed(hidden)}, and each of these predicts worse; the least with "
        f"{_name(best)}, at a perplexity of {number(best.perplexity)}."
    )


def _figure(result: Result, *names: str) -> Estimate | None:
    return next((result.estimates[name] for name in names if name in result.estimates), None)


def _name(row: Any) -> str:
    return f"{uncapitalised(row.training)}, {row.setting}"


def _listed(rows: pd.DataFrame) -> str:
    """Name settings; semicolons part them, since each has a comma of its own."""
    return "; ".join(_name(row) for row in records(rows))


def _auc(row: Any) -> str:
    return area(row.auc, row.auc_low, row.auc_high)


def _hover(row: Any) -> str:
    ends = f"{number(row.perplexity_low)}–{number(row.perplexity_high)}"
    return f"<b>{row.training}, {row.setting}</b><br>AUC {_auc(row)}<br>perplexity {number(row.perplexity)} ({ends})"
