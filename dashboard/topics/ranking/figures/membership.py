"""Whether a suspected text is stored: the ROC curve over all thresholds, and the scores at the adversary's choice."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import area, measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.ranking.figures import lists

_SIDES = ((True, "stored", theme.MEMBER), (False, "not stored", theme.NONMEMBER))
_BINS = 40


@once
def counts(stored: pd.DataFrame) -> tuple[int, int]:
    """Return how many candidates are stored, and how many are not."""
    attack = stored[stored["variant"] != "naive"]
    members = int(attack["member"].sum())
    return members, len(attack) - members


@once
def settled(table: pd.DataFrame, stored: pd.DataFrame, estimates: Mapping[str, Estimate]) -> pd.DataFrame:
    """Return the curves of both adversaries with the intervals that the estimates have."""
    attack = table["variant"] != "naive"
    independent = min(counts(stored))
    parts = [(table[attack], ""), (table[~attack], "_naive")]
    return pd.concat([curves.settled(curve, estimates, ending, independent) for curve, ending in parts])


@once
def roc(table: pd.DataFrame, stored: pd.DataFrame) -> go.Figure:
    """Draw the curve of each adversary, that of the attack with its band, down to one false positive."""
    members, nonmembers = counts(stored)
    if not members or not nonmembers:
        return theme.empty(curves.blank(0.01, 0.01, legend=False), curves.EMPTY)
    floor, up = 1 / nonmembers, min(1 / members, 1 / nonmembers)
    drawing = curves.blank(floor, up, legend=True)
    for name, curve in lists.by_adversary(table).items():
        curves.add(drawing, curve, floor, lists.LOOKS[name], name, band=name == lists.ATTACK)
    return drawing.figure()


@once
def roc_sentence(estimates: Mapping[str, Estimate], stored: pd.DataFrame) -> str:
    """Read the curve aloud, and the rates at the adversary's threshold."""
    members, nonmembers = counts(stored)
    if not members or not nonmembers or "auc" not in estimates:
        return curves.EMPTY
    auc = estimates["auc"]
    text = f"AUC {area(auc.value, auc.low, auc.high, named=True)}, chance 0.5"
    if (low := estimates.get("tpr_at_1pct_fpr")) is not None:
        text += f"; at a false-positive rate of 1%, {measured_in(low)} of the stored texts are found, chance 1%"
    hits, alarms = estimates["found"], estimates["false_alarms"]
    return (
        f"{text}. At the threshold that the adversary sets on texts of its own, it finds {measured_in(hits)} of the "
        f"{members:,} stored texts and takes {measured_in(alarms)} of the {nonmembers:,} others for stored."
    )


@once
def scores(stored: pd.DataFrame) -> go.Figure:
    """Draw the distribution of the attack's scores of stored candidates and of the others."""
    drawing = theme.blank("Similarity to the nearest vector, less threshold", "Share of candidates", legend=True)
    attack = stored[stored["variant"] != "naive"]
    if attack.empty:
        return theme.empty(drawing, "No candidate was scored.")
    low, high = min(float(attack["score"].min()), 0.0), max(float(attack["score"].max()), 0.0)
    width = max((high - low) / _BINS, 1e-3)
    edges = np.arange(np.floor(low / width) - 1, np.ceil(high / width) + 2) * width
    for member, name, colour in _SIDES:
        values = attack.loc[attack["member"] == member, "score"].to_numpy()
        if len(values):
            share = np.histogram(values, edges)[0] / len(values)
            hover = f"{counted(len(values), 'candidate')} {name}<extra></extra>"
            scatter.outline(drawing, edges, share, colour, dashed=not member, name=name, hovertemplate=hover)
    line = {"color": theme.PAPER, "width": 2.5, "dash": "dash"}
    theme.rule(drawing, x=0, name="threshold", showlegend=True, line=line)
    drawing.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=6)
    return drawing.figure()


@once
def scores_sentence(stored: pd.DataFrame) -> str:
    """Read the scores aloud."""
    attack = stored[stored["variant"] != "naive"]
    hits, alarms = (attack.loc[attack["member"] == member, "score"] > 0 for member in (True, False))
    if hits.empty or alarms.empty:
        return curves.EMPTY
    return (
        f"Right of the threshold lie {percent(float(hits.mean()))} of the {len(hits):,} stored candidates and "
        f"{percent(float(alarms.mean()))} of the {len(alarms):,} others. The threshold comes from auxiliary texts that "
        "are not stored, and not from the candidates."
    )


@once
def similarities(table: pd.DataFrame) -> go.Figure:
    """Draw each victim by how similar its vector is to its own text and to the nearest decoy."""
    drawing = theme.blank("Similarity to the nearest decoy", "Similarity to the own text", legend=True)
    if table.empty:
        return theme.empty(drawing, "There is no victim.")
    both = table[["similarity", "best_decoy"]]
    low, high = float(both.min().min()), float(both.max().max())
    room = max(0.03 * (high - low), 0.01)
    ends = [low - room, high + room]
    line = {"color": theme.INK, "width": 1.5, "dash": "dot"}
    drawing.add_scatter(x=ends, y=ends, mode="lines", line=line, name="equally near", hoverinfo="skip")
    for first, name, mark in (
        (True, "own text first", theme.Mark(theme.MEMBER, "circle")),
        (False, "a decoy first", theme.Mark(theme.NONMEMBER, "cross")),
    ):
        part = table[(table["place"] == 1) == first]
        hover = [
            f"victim {row.victim + 1}: own text in place {row.place:,}<br>similarity {row.similarity:.2f}, to the "
            f"nearest decoy {row.best_decoy:.2f}"
            for row in records(part)
        ]
        scatter.points(drawing, part["best_decoy"], part["similarity"], mark, name, hover, size=8, edge=scatter.RIM)
    return drawing.figure()


@once
def similarities_sentence(table: pd.DataFrame, candidates: int) -> str:
    """Read the similarities aloud, and the median place of the own text."""
    if table.empty:
        return "There is no victim."
    first = int((table["place"] == 1).sum())
    text = f"One point a victim: above the line its own text is nearer than the {candidates - 1:,} decoys, as for "
    text += f"{first:,} of {counted(len(table), 'victim')}."
    if first < len(table) and (median := int(table["place"].median())) > 1:
        text += f" Half of all own texts stand in place {median:,} or before."
    return text
