"""One canary: the request with its secret, what each method read of it, and where the truth ranks."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.result import Result
from core.text.canary import PATTERNS
from dashboard import panels
from dashboard.charts import canaries, canary_answer
from dashboard.charts.tables import records
from dashboard.words import literal, number

_DRAWN = "The secret is made up: the game drew it."
_GIVEN = "The secret was given by whoever asked."


def show(result: Result, canary: Any) -> None:
    """Show the answers about a canary."""
    own = canaries.own_method(result.tables["cells"])
    answers = canary_answer.read(result.tables["guesses"], canary, own)
    st.markdown(f"## {literal(canary.beginning)} :orange-background[{literal(canary.truth)}]")
    origin = _GIVEN if _is_given(result, canary) else _DRAWN
    st.caption(f"{origin} {canaries.shown(int(canary.repetitions))} to this network.")
    st.markdown(literal(canary_answer.sentence(answers, canary)))
    _ranks(result.tables["exposures"], canary)
    _readings(answers, canary.truth.split(), own)


def _is_given(result: Result, canary: Any) -> bool:
    """Tell whether the secret is not drawn: the first trial may have one of one's own, where it fits the pattern."""
    words = PATTERNS[canary.pattern].read(result.experiment["game"].get("secret", ""))
    return canary.trial == 0 and words is not None and list(words[-len(canary.truth.split()) :]) == canary.truth.split()


def _readings(answers: pd.DataFrame, truth: Sequence[str], own: str) -> None:
    """List what each method read: right words in orange with a tick, wrong ones in blue, struck out."""
    lines = ["| How it was read | Words | Right | Loss |", "|:--|:--|--:|--:|"]
    for row in records(answers):
        words = " ".join(_marked(word, true) for word, true in zip(row.guess.split(), truth, strict=True))
        name = literal(canaries.method(row.method, own))
        name = f"**{name}**" if row.own else name
        lines.append(f"| {name} | {words} | {row.right} of {len(truth)} | {number(row.loss)} |")
    with st.container(key="readings"):
        st.markdown("\n".join(lines))
    with st.expander("These readings as a table", icon=":material/table:"):
        panels.table(answers, "readings")


def _marked(word: str, true: str) -> str:
    if word == true:
        return f":orange-badge[:material/check: {literal(word)}]"
    return f":blue-badge[~~{literal(word)}~~]"


def _ranks(exposures: pd.DataFrame, canary: Any) -> None:
    ceiling, chance = canary_answer.limits(exposures, canary)
    control = canary_answer.bits(canary.control_rank, canary)
    estimated = "" if canary.exact else " Estimated from a random sample."
    figures = {
        "Rank of the true secret": (
            canary_answer.place(canary.rank, canary),
            f"of {canary_answer.space(canary):,} by the network’s loss; 1 is best.{estimated}",
        ),
        "Exposure of the true secret": (
            f"{canary.exposure:.1f} bits",
            f"of at most {ceiling:.1f}; a secret never learnt has {chance:.1f} on average",
        ),
        "Rank of the decoy": (
            canary_answer.place(canary.control_rank, canary),
            f"{control:.1f} bits: a secret drawn alike and never learnt",
        ),
    }
    with st.container(horizontal=True, gap="medium", key="ranks"):
        for label, (value, said) in figures.items():
            with st.container(width=265, gap=None):
                st.metric(label, value)
                st.caption(literal(said))
