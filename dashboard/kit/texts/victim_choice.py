"""Choice of a victim, kept in the address."""

import random
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dashboard.kit import choices

_VICTIM = "view.victim"


def choose(names: Mapping[int, str], label: str = "Victim") -> int:
    """Draw the choice of a victim by name, and return its number; there is at least one."""
    return int(choices.many(label, names, _VICTIM, width=280))


def numbered(words: pd.DataFrame, label: str = "Victim") -> dict[int, str]:
    """Return the victims of a table, each by its number."""
    return {victim: f"{label} {victim + 1}" for victim in sorted({int(victim) for victim in words["victim"]})}


def draw_another(victims: Sequence[int]) -> None:
    """Offer to choose another victim at random."""

    def draw() -> None:
        other_victims = [victim for victim in victims if victim != st.session_state.get(_VICTIM)]
        st.session_state[_VICTIM] = random.choice(other_victims or victims)

    st.button("Draw another", icon=":material/casino:", on_click=draw, key="draw-victim")
