"""How often an attack on keywords names words that no text has (Pan et al. 2020, Table III)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.runtime.seeding import generator
from core.statistics import intervals
from dashboard.kit.figures import adversaries, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.topics.keywords.figures import keywords

HERE = "here, last pass"
PASSES = "here, mean of all passes"
PAPER = "DANN in the paper, mean of 50 passes"
COIN = 0.5
"""What a coin gives; who never says that a word is there raises no alarm at all."""
AXIS = "False alarms: share of victims"
NO_LEAK = (
    "Nothing leaks here: who always says that a word is absent is always right, and a coin raises a false alarm about "
    "half of the victims. The figure only counts beside the hits on words that are there."
)
PAPER_SAYS = (
    "Pan et al. 2020, Table III, prints the share rightly called absent, average over 50 passes, of 1,000 texts and 5 "
    "random words; the bars show what is missing to 100%. Its encoders are not ours, and it prints no intervals."
)

_TABLE_3: dict[str, dict[str, float]] = {
    "medical": {
        "BERT": 0.860,
        "Transformer-XL": 0.555,
        "XLNet": 0.951,
        "GPT": 0.974,
        "GPT-2": 0.973,
        "RoBERTa": 0.992,
        "XLM": 0.907,
        "ERNIE 2.0": 0.862,
    },
    "airline": {
        "BERT": 0.891,
        "Transformer-XL": 0.807,
        "XLNet": 0.974,
        "GPT": 0.987,
        "GPT-2": 0.981,
        "RoBERTa": 0.996,
        "XLM": 0.925,
        "ERNIE 2.0": 0.922,
    },
}
_DANN = "dann"
_TERMS = shares.Terms("false alarms", "a coin")
_TASKS = {"skytrax": "airline", "mtsamples": "medical", "cms_procedures": "medical"}

Named = tuple[float, float, float]
"""A share with the ends of its 95 % interval."""


def alarms(rows: pd.DataFrame) -> pd.DataFrame:
    """Return accuracies about absent words as shares of false alarms."""
    return rows.assign(accuracy=1 - rows["accuracy"], low=1 - rows["high"], high=1 - rows["low"], chance=COIN)


def bars(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars of the mean and of each word."""
    return keywords.bars(alarms(inferred), experiment)


def figure(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> go.Figure:
    """Draw the share of false alarms for the mean and each word, the other classifiers as points."""
    return keywords.drawn(bars(inferred, experiment), inferred, experiment, AXIS, _TERMS)


def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the bars aloud: how rarely a word is named that is not there, and of which words most and least often."""
    told = alarms(inferred)
    mean, own = adversaries.mean(told, experiment), adversaries.attack_rows(told, experiment)
    own = own[own["values"] > 0].sort_values("accuracy")
    if mean is None or own.empty:
        return "No word was asked about."
    text = (
        f"The attack raises a false alarm, and says that a text has a word that no text has, in "
        f"{measured(mean.accuracy, mean.low, mean.high, named=True)} of the cases"
    )
    if len(own) > 1:
        most, least = (records(own)[place] for place in (-1, 0))
        text += (
            f": most often for “{most.secret}” ({percent(most.accuracy)}), least for “{least.secret}” "
            f"({percent(least.accuracy)})"
        )
    naive = adversaries.mean(told, experiment, "naive")
    if naive is not None:
        text += f". The naive adversary does so in {measured(naive.accuracy, naive.low, naive.high)}"
    return " ".join(filter(None, (f"{text}.", keywords.rivals(told, experiment))))


def behind(inferred: pd.DataFrame) -> str:
    """Return how many victims were asked about."""
    counts = inferred.loc[inferred["values"] > 0, "victims"]
    return f"{counted(int(counts.max()), 'victim')} a word, none of which has it." if len(counts) else ""


def named(guesses: pd.DataFrame, truth: str, seed: int) -> Named | None:
    """Return in how many of the texts with or without a word it was named, mean over words; None where none is asked.

    Args:
        guesses: As the game declares it, of words that some texts have.
        truth: ``present`` for the texts with the word, ``absent`` for those without.
        seed: Source of the resampling.
    """
    own = guesses[guesses["truth"] == truth]
    if own.empty:
        return None
    asked = own.assign(named=own["guess"] == "present", one=1.0).pivot(index="secret", columns="victim")
    found, one = (asked[column].fillna(0).to_numpy(dtype=float) for column in ("named", "one"))  # (words, victims)
    return intervals.mean_share(found, one, generator(seed, "named", truth))


def beside(inferred: pd.DataFrame, experiment: Mapping[str, Any], hits: Named | None, wrong: Named | None) -> str:
    """Read the false alarms aloud beside the hits, and conclude.

    Args:
        inferred: Of a result about absent words, as the game declares it.
        experiment: What that answers.
        hits: In how many of the texts with a word it was `named`.
        wrong: The same of the texts without it.
    """
    told = alarms(inferred)
    alarm = adversaries.mean(told, experiment)
    text = (
        f"Asked about words that no text has, the same adversary says in "
        f"{measured(alarm.accuracy, alarm.low, alarm.high, named=True)} of the cases that they are there. That is no "
        "leak: who always says absent is always right."
    )
    if others := keywords.rivals(told, experiment):
        text += f" {others}"
    if hits is None or wrong is None:
        return text
    text += (
        f" Of words that some texts have, the attack says so about {measured(*hits)} of the texts with the word and "
        f"about {measured(*wrong)} of those without."
    )
    if hits[1] <= alarm.high:
        return f"{text} That is no more than of absent words: its hits alone prove nothing."
    if alarm.high < COIN:
        return f"{text} So its hits are not bought by always saying yes."
    return f"{text} It says yes where a coin would, or oftener: part of its hits is bought by that."


def paper(tables: Mapping[str, pd.DataFrame], experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return a bar for each classifier here, the DANN's mean over its passes, and the paper's DANN for each encoder.

    Args:
        tables: Tables of a result about absent words.
        experiment: What it answers; texts without a counterpart in the paper have bars of this result only.
    """
    told = alarms(tables["inferred"])
    means = told[(told["values"] == 0) & (told["adversary"] == "adaptive")]
    asked, rows = experiment["attack"], []
    for row in records(means):
        kind = asked["classifier"] if row.variant == asked["part"] else row.variant
        own = {"value": row.accuracy, "low": row.low, "high": row.high}
        rows.append({"group": adversaries.CLASSIFIERS.get(kind, kind), "series": HERE, **own})
        if kind == _DANN:
            curve = tables["curve"]
            passes = (curve["variant"] == row.variant) & (curve["adversary"] == "adaptive") & (curve["secret"] == "all")
            mean = float(1 - curve.loc[passes, "accuracy"].mean())
            rows.append({"group": adversaries.CLASSIFIERS[_DANN], "series": PASSES, "value": mean})
    stated = _TABLE_3.get(_TASKS.get(experiment["dataset"]["part"], ""), {})
    for name, right in sorted(stated.items(), key=lambda item: -item[1]):
        rows.append({"group": name, "series": PAPER, "value": round(1 - right, 3)})
    return shares.table(rows)


def paper_figure(bars: pd.DataFrame) -> go.Figure:
    """Draw the bars beside the paper's."""
    looks = dict(zip((HERE, PASSES), theme.distinct(2), strict=True))
    return shares.figure(bars, {**looks, PAPER: adversaries.PAPER}, AXIS, terms=_TERMS)
