"""The attacks, with the best result of each."""

import streamlit as st

from dashboard.kit import address
from dashboard.topics.overview import leaks, sights

TITLE = "Overview"
ICON = ":material/radar:"
ORDER = 0

address.show({})  # the browser’s Back may leave an experiment there
st.title("What a text model gives away", anchor=False)
st.markdown(
    "A model trained on text keeps traces of it, and anyone who can query the model may find them. Telltale runs "
    "attacks from the literature, and one of its own, on models whose training data is known, and measures how often "
    "they are right. **Attack only models and texts that are yours, or whose owner agrees.**"
)
sights.links()

attacks = leaks.attack_entries()
if any(row.figures for _, row in (attack.best for attack in attacks)):
    leaks.figure(attacks)
    st.caption(
        "Each row is the undefended experiment of an attack that lies farthest above chance: the best of several, "
        "which flatters the attack. The others are folded away below. Where its texts are not on this machine, the "
        "menu opens a smaller one whose texts are."
    )
else:
    st.info("No precomputed result is installed. Open an experiment below and run it: a demo takes about a minute.")
leaks.listing(attacks)
