"""False alarms of keyword inference on words that no text has (Pan et al. 2020, Table III)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.runtime.seeding import generator
from core.statistics import intervals
from core.statistics.wording import measured, measured_in
from core.statistics.wording.naming import counted
from dashboard.kit.figures import adversaries, shares, theme
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.keywords.figures import keywords

HERE = "here, last epoch"
EPOCHS_MEAN = "here, mean of all epochs"
PAPER = "DANN in the paper, mean of 50 epochs"
COIN = 0.5
"""Chance: false-alarm rate of random answers."""
AXIS = "False-alarm rate"
NO_LEAK = (
    "This figure shows no leak: always answering “absent” is always correct, and random answers raise false alarms for "
    "half of the victims. The false-alarm rate matters only beside the hit rate on words that are present."
)
PAPER_NOTE = (
    "Pan et al. 2020, Table III, prints the share correctly predicted absent, averaged over 50 epochs, for 1,000 texts "
    "and 5 random words; the bars show the remainder to 100%. It uses other encoders and prints no intervals."
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
_SHARE = "false-alarm rate"

Share = tuple[float, float, float]
"""A share with the ends of its 95% interval."""


@once
def alarms(rows: pd.DataFrame) -> pd.DataFrame:
    """Return accuracies on absent words as false-alarm rates."""
    return rows.assign(accuracy=1 - rows["accuracy"], low=1 - rows["high"], high=1 - rows["low"], chance=COIN)


@once
def bars(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars of the mean and of each word."""
    return keywords.bars(alarms(inferred), experiment)


@once
def figure(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> go.Figure:
    """Draw the false-alarm rate for the mean and each word, the other classifiers as points."""
    return keywords.figure(alarms(inferred), experiment, AXIS, _SHARE)


@once
def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the bars aloud: the mean false-alarm rate, and the words with the highest and the lowest."""
    rates = alarms(inferred)
    mean, words = adversaries.mean(rates, experiment), adversaries.attack_rows(rates, experiment)
    words = words[words["values"] > 0]
    if mean is None or words.empty:
        return "The result has no keyword."
    text = f"The attack predicts a word that no text has in {measured_in(mean, 'accuracy', named=True)} of the cases"
    if len(words) > 1:
        most, least = words["accuracy"].max(), words["accuracy"].min()
        if most == least:
            text += f", equally often each of the {len(words)} words"
        else:
            text += f", most often {keywords.named_at(words, most)}, least often {keywords.named_at(words, least)}"
    naive = adversaries.mean(rates, experiment, "naive")
    if naive is not None:
        text += f". The naive adversary does so in {measured_in(naive, 'accuracy')}"
    return " ".join(filter(None, (f"{text}.", keywords.other_classifiers(rates, experiment))))


@once
def behind(inferred: pd.DataFrame) -> str:
    """Return the number of victims per word."""
    counts = inferred.loc[inferred["values"] > 0, "victims"]
    return f"{counted(int(counts.max()), 'victim')} per word, none of which has it." if len(counts) else ""


@once
def predicted_share(guesses: pd.DataFrame, truth: str, seed: int) -> Share | None:
    """Return the share of texts for which a word was predicted, mean over words; None without such texts.

    Args:
        guesses: The game's table of answers, on words that some texts have.
        truth: ``present`` for texts with the word (hit rate), ``absent`` for those without.
        seed: Seed of the resampling.
    """
    texts = guesses[guesses["truth"] == truth]
    if texts.empty:
        return None
    answers = texts.assign(named=texts["guess"] == "present", one=1.0).pivot(index="secret", columns="victim")
    predicted, counted_texts = (
        answers[column].fillna(0).to_numpy(dtype=float) for column in ("named", "one")
    )  # (words, victims)
    return intervals.mean_share(predicted, counted_texts, generator(seed, "named", truth))


@once
def beside(inferred: pd.DataFrame, experiment: Mapping[str, Any], hits: Share | None, wrong: Share | None) -> str:
    """Read the false alarms aloud beside the hits, and say what follows for the hit rate.

    Args:
        inferred: The game's table of a result on absent words.
        experiment: Its experiment.
        hits: `predicted_share` for texts with a word.
        wrong: `predicted_share` for texts without it.
    """
    rates = alarms(inferred)
    alarm = adversaries.mean(rates, experiment)
    text = (
        "On words that no text has, the false-alarm rate of the same adversary is "
        f"{measured_in(alarm, 'accuracy', named=True)}. That is no leak: always answering “absent” is "
        "always correct."
    )
    if classifiers := keywords.other_classifiers(rates, experiment):
        text += f" {classifiers}"
    if hits is None or wrong is None:
        return text
    text += (
        f" Words that some texts have are predicted for {measured(*hits)} of the texts with the word and "
        f"{measured(*wrong)} of those without."
    )
    if hits[1] <= alarm.high:
        return f"{text} That is no more than for absent words: the hit rate alone is no evidence."
    if alarm.high < COIN:
        return f"{text} The hit rate is not due to always answering “present”."
    return f"{text} It answers “present” at least as often as chance, which explains part of the hit rate."


@once
def paper(tables: Mapping[str, pd.DataFrame], experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return a bar for each classifier here, the DANN's mean over epochs, and the paper's DANN for each encoder.

    Args:
        tables: Tables of a result on absent words.
        experiment: Its experiment; datasets without a counterpart in the paper get no bars of the paper.
    """
    rates = alarms(tables["inferred"])
    means = rates[(rates["values"] == 0) & (rates["adversary"] == "adaptive")]
    attack, rows = experiment["attack"], []
    for row in records(means):
        kind = attack["classifier"] if row.variant == attack["part"] else row.variant
        group = adversaries.classifier_name(kind)
        rows.append({"group": group, "series": HERE, **interval(row, "accuracy")})
        if kind == _DANN:
            curve = tables["curve"]
            matching = (
                (curve["variant"] == row.variant) & (curve["adversary"] == "adaptive") & (curve["secret"] == "all")
            )
            mean = float(1 - curve.loc[matching, "accuracy"].mean())
            rows.append({"group": group, "series": EPOCHS_MEAN, "value": mean})
    stated = _TABLE_3.get(keywords.TASKS.get(experiment["dataset"]["part"], ""), {})
    for name, right in sorted(stated.items(), key=lambda item: -item[1]):
        rows.append({"group": name, "series": PAPER, "value": round(1 - right, 3)})
    return shares.table(rows)


@once
def paper_figure(bars: pd.DataFrame) -> go.Figure:
    """Draw the bars beside the paper's."""
    looks = dict(zip((HERE, EPOCHS_MEAN), theme.distinct(2), strict=True))
    return shares.figure(bars, {**looks, PAPER: adversaries.PAPER}, AXIS, share=_SHARE)
