"""How often the presence of each keyword was told from an embedding, by each classifier."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import adversaries, shares
from dashboard.charts.tables import records
from dashboard.charts.wording import counted, joined, measured, percent

MEAN = "Mean of all"
KNOWLEDGE = {"white_box": "White box", "black_box": "Black box"}
SAYS = {
    "white_box": "The adversary holds texts of the victims’ own kind.",
    "black_box": "The adversary holds only public texts of another kind, and the victims’ embeddings.",
}


def bars(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars of the mean and of each keyword."""
    mean, single = inferred[inferred["values"] == 0], inferred[inferred["values"] > 0]
    rows = [
        {
            "group": MEAN if row.values == 0 else row.secret,
            "series": adversaries.name(row.variant, row.adversary, experiment), "value": row.accuracy, "low": row.low,
            "high": row.high, "chance": row.chance,
        }
        for row in records(pd.concat([mean, single]))
    ]  # fmt: skip
    return shares.table(rows)


def figure(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> go.Figure:
    """Draw the attack as bars, and the other classifiers as points below them."""
    looks, rivals = {}, []
    for row in records(inferred.drop_duplicates(["variant", "adversary"])):
        name = adversaries.name(row.variant, row.adversary, experiment)
        if row.variant != experiment["attack"]["part"]:
            if row.adversary == "naive":
                continue
            rivals.append(name)
        looks[name] = adversaries.mark(row.variant, row.adversary, experiment)
    return shares.figure(
        bars(inferred, experiment), looks, points=rivals, whole=True, empty="No keyword was asked about."
    )


def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the bars aloud: the mean, the keywords that give most and least away, and the best other classifier."""
    whole, own = adversaries.mean(inferred, experiment), adversaries.own(inferred, experiment)
    own = own[own["values"] > 0]
    if whole is None or own.empty:
        return "No keyword was asked about."
    text = (
        f"The attack tells in {measured(whole.accuracy, whole.low, whole.high, named=True)} of the cases whether a "
        f"text has the word, where guessing gives {percent(whole.chance)}"
    )
    if len(own) > 1:
        best, worst = (records(own.sort_values("accuracy"))[place] for place in (-1, 0))
        text += (
            f": most often for “{best.secret}” ({percent(best.accuracy)}), least for “{worst.secret}” "
            f"({percent(worst.accuracy)})"
        )
    unproven = [f"“{row.secret}”" for row in records(own) if not row.low > row.chance]
    if len(unproven) == len(own):
        text += ". No interval lies above chance: no leak is shown"
    elif unproven:
        text += f". For {joined(unproven)} the interval includes chance"
    return " ".join(filter(None, (f"{text}.", _naive(inferred, experiment), _rivals(inferred, experiment))))


def behind(inferred: pd.DataFrame) -> str:
    """Return how many victims each keyword had, half of them with it."""
    counts = [int(count) for count in inferred.loc[inferred["values"] > 0, "victims"]]
    if not counts:
        return ""
    few, many = min(counts), max(counts)
    said = counted(few, "victim") if few == many else f"{few:,} to {counted(many, 'victim')}"
    return f"{said} a keyword, half of them with it."


def _naive(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    naive = adversaries.mean(inferred, experiment, "naive")
    if naive is None:
        return ""
    return f"The naive adversary reaches {measured(naive.accuracy, naive.low, naive.high)}."


def _rivals(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    other = inferred[
        (inferred["variant"] != experiment["attack"]["part"])
        & (inferred["adversary"] == "adaptive")
        & (inferred["values"] == 0)
    ]
    said = [
        f"{adversaries.CLASSIFIERS.get(row.variant, row.variant)} {percent(row.accuracy)}" for row in records(other)
    ]
    return f"Other classifiers: {joined(said)}." if said else ""
