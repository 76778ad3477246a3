"""What a fine-tuned language model leaks against how well it predicts, by training and by defense."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.defenses.dp_sgd import DpSgd
from core.defenses.early_stopping import EarlyStopping
from core.experiment import Experiment
from core.models.causal_lm import ASIDE
from core.result import Estimate, Result
from core.statistics.intervals import Interval, difference
from core.statistics.wording import area, percent
from core.statistics.wording.naming import capitalised, counted, documents
from dashboard.kit import sweeps
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, intervals, labels, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import area_in, joined, number_in
from dashboard.kit.membership.figures.leak import CHANCE
from dashboard.kit.shared import once
from dashboard.kit.words import number, uncapitalised
from dashboard.topics.language_models.figures import beside_attack

TITLE = "Leakage against perplexity"
WHOLE, ADAPTERS = "All weights", "Adapters (LoRA)"
_BASE = "0 epochs (the base)"
_EMPTY = "No fine-tuned model with this game is computed yet."
_VALUES = ("perplexity", "perplexity_low", "perplexity_high", "auc", "auc_low", "auc_high")
_COLUMNS = ("name", "training", "setting", "order", "rank", "epochs", "size", "decisions", "aside", *_VALUES)
_HEIGHT = theme.HEIGHT + 140
_ROOM = 1.35
"""By how much the axis begins below the lowest perplexity, so that names find room on a phone."""
_SCREENS = ((950.0, 400.0), (755.0, 390.0), (265.0, 380.0))
"""Approximate size of the plot on a projector, a tablet and a phone, for placing names; in pixels."""
_WIDEST = 15
"""Letters in a line of a name, which has to fit beside its point on a phone."""


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
            setting += f", {percent(ASIDE)} of its documents set aside"
        return title, setting, sweeps.strength(defense)
    if rank := int(model["rank"]):
        return ADAPTERS, f"rank {rank}", float(rank)
    epochs = int(model["epochs"])
    return WHOLE, counted(epochs, "epoch") if epochs else _BASE, float(epochs)


def _name(training: str, setting: str) -> str:
    """Return the name of a place beside its point and in sentences.

    >>> _name(WHOLE, "3 epochs"), _name(ADAPTERS, "rank 8"), _name("Token dropping (goldfish loss)", "one of 4")
    ('3 epochs', 'LoRA rank 8', 'token dropping')
    >>> _name("Differentially private training, for each owner", "epsilon 8")
    'epsilon 8 for each owner'
    """
    title, _, unit = uncapitalised(training).partition(", ")
    if training == WHOLE:
        return "the base" if setting == _BASE else setting
    if training == ADAPTERS:
        return f"LoRA {setting}"
    if setting.startswith("epsilon"):
        return f"{setting} {unit}" if unit else setting
    return title.partition(" (")[0]


def standing(training: str, _: str, order: float) -> tuple[int, str, float]:
    """Return what sorts places: plain training first, then adapters, then defenses by name; each by its strength."""
    first = [WHOLE, ADAPTERS]
    return first.index(training) if training in first else len(first), training, order


@once
def points(results: Iterable[Result], naive: Iterable[Result | None] = ()) -> pd.DataFrame:
    """Return a row for each result: the attack on the smallest targets, and the perplexity in new documents.

    Larger targets are told apart by every training, so that they compare none.

    Args:
        results: By adversaries that know the defense.
        naive: Of each, the result of its naive twin; None where none is stored.
    """
    rows: list[dict[str, Any]] = []
    for result, twin in zip_longest(results, naive):
        experiment = Experiment.parse(result.experiment)
        size = min(result.experiment["game"]["target_sizes"])
        attack, quality = _figure(result, f"auc_{size}", "auc"), _figure(result, "perplexity_test")
        if attack is None or quality is None:
            continue
        training, setting, order = place(experiment)
        ends = (quality.value, quality.low, quality.high, attack.value, attack.low, attack.high)
        model = experiment.model.as_dict()
        stops_early = any(isinstance(defense, EarlyStopping) for defense in experiment.defenses)
        row = {
            "name": _name(training, setting),
            "training": training,
            "setting": setting,
            "order": order,
            "rank": int(model["rank"]),
            "epochs": int(model["epochs"]),
            "size": size,
            "decisions": attack.n,
            "aside": ASIDE if stops_early else 0.0,
        }
        rows.append({**row, **dict(zip(_VALUES, ends, strict=True)), **beside_attack.beside(result, twin, size)})
    numbers = (*_VALUES, *beside_attack.VALUES, "aside")
    table = pd.DataFrame(rows, columns=[*_COLUMNS, *beside_attack.COLUMNS]).astype(dict.fromkeys(numbers, "float64"))
    again = table["name"].duplicated(keep=False)
    table.loc[again, "name"] += " (" + table.loc[again, "setting"] + ")"
    settings = zip(table["training"], table["setting"], table["order"], strict=True)
    places = sorted(range(len(table)), key=[standing(*each) for each in settings].__getitem__)
    return table.loc[places].reset_index(drop=True)


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw a named point with both intervals for each row of `points`, and a line through those of one training."""
    titles = (
        "Perplexity in new documents, tokens<br>(lower: more useful; bars: 95% intervals)",
        "AUC of the attack (lower: more private)",
    )
    drawing = theme.blank(*titles, height=_HEIGHT, legend=True)
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    across = axes.logarithmic(table["perplexity_low"].min() / _ROOM, table["perplexity_high"].max())
    lowest = theme.floor(table["auc_low"])
    drawing.update_xaxes(**across)
    drawing.update_yaxes(range=[lowest, theme.WHOLE], dtick=0.1, tickformat=".1f")
    theme.level(drawing, y=CHANCE, left=True)
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
    _write_names(drawing, table, across["range"], (lowest, theme.WHOLE))
    return drawing.figure()


def _write_names(drawing: Drawing, table: pd.DataFrame, across: Sequence[float], up: Sequence[float]) -> None:
    """Write the name of each setting beside its point, where it covers no point, interval or line."""
    (left, right), (low, high) = across, up

    def at(perplexity: float, auc: float) -> labels.Point:
        return (np.log10(perplexity) - left) / (right - left), (auc - low) / (high - low)

    rows = records(table)
    strokes = [(at(row.perplexity_low, row.auc), at(row.perplexity_high, row.auc)) for row in rows]
    strokes += [(at(row.perplexity, row.auc_low), at(row.perplexity, row.auc_high)) for row in rows]
    for first, second in pairwise(rows):
        if first.training == second.training:
            strokes.append((at(first.perplexity, first.auc), at(second.perplexity, second.auc)))
    strokes.append(((0.0, at(1, CHANCE)[1]), (1.0, at(1, CHANCE)[1])))
    shares = np.array([at(row.perplexity, row.auc) for row in rows])
    apart = np.abs(shares[:, None] - shares[None]) @ np.array(_SCREENS[-1])  # (points, points) in pixels
    crowded = np.argsort(-(1 / (1 + apart)).sum(axis=1), kind="stable").tolist()  # these find room first
    texts = ["<br>".join(wrap(rows[each].name, _WIDEST)) for each in crowded]
    points = [(float(x), float(y)) for x, y in shares]
    placed = labels.place(texts, [points[each] for each in crowded], points, _SCREENS, labels.along(strokes))
    for label, row in zip(placed, (rows[each] for each in crowded), strict=True):
        labels.write(drawing, label, float(np.log10(row.perplexity)), row.auc)


@once
def sentence(table: pd.DataFrame) -> str:
    """Read the figure aloud.

    All weights, trained for as long as most other models; then each other setting once, by whether it leaks less than
    all weights that predict as well; defenses of adapters beside the same adapters; and which settings show no leak, by
    any adversary here or by the attack alone.
    """
    whole = where(table, "training", WHOLE)
    if table.empty or whole.empty:
        return _EMPTY
    others = table[table["training"] != WHOLE]
    usual = others["epochs"].mode().tolist() or [whole["epochs"].max()]
    plain, *_ = records(where(whole, "epochs", usual[0]) if usual[0] in whole["epochs"].tolist() else whole[::-1])
    about = (
        f"All weights, {plain.setting}: the attack on targets of {documents(plain.size)} has an AUC of "
        f"{area_in(plain, named=True)} over {counted(plain.decisions, 'decision')}, at a perplexity of "
        f"{number(plain.perplexity)}."
    )
    rest = table[(table["training"] != WHOLE) | (table["setting"] != plain.setting)]
    unshown = beside_attack.unshown(records(rest[rest["auc_low"] <= CHANCE]))
    sentences = (about, _shorter(whole, plain), *_held(others, whole), *_beside_adapters(others), *unshown)
    return " ".join(filter(None, sentences))


def _shorter(whole: pd.DataFrame, plain: Any) -> str:
    """Say which other lengths of training leak less than the plainest, and at what perplexity; empty for none."""
    trained = records(where(whole[whole["epochs"] > 0], "training", WHOLE))
    less = [row for row in trained if difference(interval_of(plain, "auc"), interval_of(row, "auc")).low > 0]
    shown = [f"{area_in(row)} after {row.setting}, at {number(row.perplexity)}" for row in less]
    return f"It is lower, {joined(shown)}." if shown else ""


def _held(others: pd.DataFrame, whole: pd.DataFrame) -> list[str]:
    """Hold settings to all weights that predict as well, on the line between their lengths of training.

    The base is left out: what a part of an epoch leaks is not known. So a setting that predicts worse than the shortest
    length is held to that. Where nothing is trained on a share of the members, all weights would leak less, too: that
    share is taken to be told by chance.
    """
    trained = whole[whole["epochs"] > 0].sort_values("perplexity")
    if others.empty or trained.empty:
        return []
    best, shortest = records(trained)[0], records(trained)[-1]
    kinds: dict[str, list[Any]] = {kind: [] for kind in ("less", "aside", "worse", "unshown", "better")}
    for row in records(others):
        ends = [np.interp(row.perplexity, trained["perplexity"], trained[f"auc{end}"]) for end in ("", "_low", "_high")]
        alike = Interval(*ends)
        spared = Interval(*(float(end + row.aside * (CHANCE - end)) for end in ends))
        if difference(alike, interval_of(row, "auc")).low <= 0:
            kinds["unshown" if row.perplexity >= best.perplexity else "better"].append(row)
        elif difference(spared, interval_of(row, "auc")).low <= 0:
            kinds["aside"].append((row, spared))
        elif difference(interval_of(row, "perplexity"), interval_of(shortest, "perplexity")).low > 0:
            kinds["worse"].append(row)
        else:
            kinds["less"].append(row)
    less = _listed(kinds["less"]) or "none"
    text = [f"Shown to leak less than all weights that predict as well, on the line between their points: {less}."]
    if kinds["unshown"]:
        text.append(f"Not shown to leak less: {_listed(kinds['unshown'])}.")
    text += [
        f"{capitalised(row.name)} reaches {area_in(row)}. All weights would have {area(*expected)} if "
        f"{percent(row.aside)} of their members were set aside, too, and told by chance: it is not shown to protect "
        "what it trains on."
        for row, expected in kinds["aside"]
    ]
    if kinds["worse"]:
        text.append(
            f"With a lower AUC, but worse predictions than all weights after {shortest.setting}: "
            f"{_listed(kinds['worse'])}."
        )
    if kinds["better"]:
        text.append(f"Predicting better than all weights ever do, not shown to leak less: {_listed(kinds['better'])}.")
    return text


def _beside_adapters(others: pd.DataFrame) -> list[str]:
    """Hold defenses of adapters to the same adapters, trained for as many epochs, without a defense."""
    text = []
    for plain in records(where(others, "training", ADAPTERS)):
        alike = others[(others["rank"] == plain.rank) & (others["epochs"] == plain.epochs)]
        defended = records(alike[alike["training"] != ADAPTERS])
        gains = [(row, difference(interval_of(plain, "auc"), interval_of(row, "auc"))) for row in defended]
        shown = [f"{row.name} by {area(*gain)}, at {number(row.perplexity)}" for row, gain in gains if gain.low > 0]
        unshown = _listed([row for row, gain in gains if gain.low <= 0])
        if defended:
            text.append(
                f"Shown to leak less than {plain.name} without a defense, {area_in(plain)} at a perplexity of "
                f"{number(plain.perplexity)}: {'; '.join(shown) or 'none'}."
            )
        if shown and unshown:
            text.append(f"Not shown to leak less than {plain.name}: {unshown}.")
    return text


def _figure(result: Result, *names: str) -> Estimate | None:
    return next((result.estimates[name] for name in names if name in result.estimates), None)


def _listed(rows: Sequence[Any]) -> str:
    """Name settings; empty of none."""
    return joined([row.name for row in rows]) if rows else ""


def _hover(row: Any) -> str:
    perplexity = number_in(row, "perplexity")
    return f"<b>{row.training}, {row.setting}</b><br>AUC {area_in(row)}<br>perplexity {perplexity}"
