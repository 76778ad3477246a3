"""The attacks, with the result that each opens on."""

import streamlit as st

from dashboard.kit import address
from dashboard.topics.overview import leaks, sights

TITLE = "Overview"
ICON = ":material/radar:"
ORDER = 0

st.title("What a text model gives away", anchor=False)
address.clear()
st.markdown(
    "A model trained on text keeps traces of it, and anyone who can query the model may find them. Telltale runs "
    "attacks from the literature, and one of its own, on models whose training data is known, and measures how often "
    "they are right. **Attack only models and texts that are yours, or whose owner agrees.**"
)
sights.links()

attacks = leaks.attack_entries()
if any(row.figures for _, row in (attack.first for attack in attacks)):
    leaks.figure(attacks)
    st.caption(
        "Each row is the experiment that the attack’s page opens on: a small one whose texts are on this machine, so "
        "that you can read what leaks and run it again. The list below names the clearest leak of each attack, too: "
        "the result whose interval begins farthest above chance, which need not be the highest; those that serve for "
        "comparison, such as untrained encoders, are left out. It is the best of several, which flatters the attack. "
        "The others are folded away."
    )
else:
    st.info("No precomputed result is installed. Open an experiment below and run it: a demo takes about a minute.")
leaks.listing(attacks)
