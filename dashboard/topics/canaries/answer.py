"""What is read out: a chosen secret with the answer of each method and the rank of the true one, then all secrets."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.figures.tables import records
from dashboard.kit.words import literal, number
from dashboard.topics.canaries import outcome, own_secret
from dashboard.topics.canaries.figures import answer, canaries

_PATTERN, _REPETITIONS, _TRIAL = "view.secret", "view.repetitions", "view.trial"


def show(result: Result, experiment: Experiment) -> None:
    """Ask for a secret; draw one secret and the answers about it, then all secrets."""
    own_secret.ask(experiment)
    _one_secret(result)
    outcome.show(result)


def choose(table: pd.DataFrame) -> Any:
    """Draw the choice; return the row of the table ``canaries``. All sections about one canary share the choice."""
    patterns = list(dict.fromkeys(table["pattern"]))
    counts = sorted({int(number) for number in table["repetitions"]})
    trials = sorted({int(number) for number in table["trial"]})
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-canary"):
        pattern, repetitions, trial = patterns[0], counts[-1], trials[0]
        if len(patterns) > 1:
            pattern = choices.few("Secret", patterns, _PATTERN, called=canaries.pattern_name, default=pattern)
        if len(trials) > 1:
            hint = "Each trial draws its own secrets and trains its own networks."
            trial = choices.many("Trial", trials, _TRIAL, called=lambda at: str(at + 1), width=110, help=hint)
        if len(counts) > 1:
            label = "Shown to the network"
            repetitions = choices.few(label, counts, _REPETITIONS, called=canaries.times, default=repetitions)
    chosen = (table["pattern"] == pattern) & (table["repetitions"] == repetitions) & (table["trial"] == trial)
    return records(table[chosen])[0]


@st.fragment
def _one_secret(result: Result) -> None:
    """Draw the answers about the chosen secret; choosing another redraws only them."""
    canary = choose(result.tables["canaries"])
    attack_method = canaries.own_method(result.tables["cells"])
    answers = answer.read(result.tables["guesses"], canary, attack_method)
    st.markdown(f"## {literal(canary.beginning)} :orange-background[{literal(canary.truth)}]")
    st.caption(answer.origin(canary, result.experiment["game"]))
    st.markdown(literal(answer.sentence(answers, canary)))
    _ranks(result.tables["exposures"], canary)
    _readings(answers, canary.truth.split(), attack_method)


def _readings(answers: pd.DataFrame, truth: Sequence[str], attack_method: str) -> None:
    """List the answers of all methods: correct words in orange with a tick, wrong words in blue, struck out."""
    lines = ["| Method | Words | Correct | Loss (nats) |", "|:--|:--|--:|--:|"]
    for row in records(answers):
        words = " ".join(_marked(word, true_word) for word, true_word in zip(row.guess.split(), truth, strict=True))
        name = literal(canaries.method(row.method, attack_method))
        name = f"**{name}**" if row.own else name
        lines.append(f"| {name} | {words} | {row.right} of {len(truth)} | {number(row.loss)} |")
    with st.container(key="readings"):
        st.markdown("\n".join(lines))
    panels.folded_table(answers, "readings", "These answers as a table")


def _marked(word: str, true_word: str) -> str:
    if word == true_word:
        return f":orange-badge[:material/check: {literal(word)}]"
    return f":blue-badge[~~{literal(word)}~~]"


def _ranks(exposures: pd.DataFrame, canary: Any) -> None:
    ceiling, chance = answer.limits(exposures, canary)
    control = answer.bits(canary.control_rank, canary)
    estimated = "" if canary.exact else " Estimated from a random sample."
    figures = {
        "Rank of the true secret": (
            answer.ranked(canary.rank, canary),
            f"of {answer.space(canary):,} by the network’s loss; rank 1 is best.{estimated}",
        ),
        "Exposure of the true secret": (
            f"{canary.exposure:.1f} bits",
            f"of at most {ceiling:.1f}; a secret not in the data has {chance:.1f} on average",
        ),
        "Rank of the decoy": (
            answer.ranked(canary.control_rank, canary),
            f"{control:.1f} bits: a secret drawn the same way that is not in the data",
        ),
    }
    with st.container(horizontal=True, gap="medium", key="ranks"):
        for label, (value, caption) in figures.items():
            panels.metric(label, value, caption, width=265)
