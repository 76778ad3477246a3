"""What was asked, of which model, with what access, and what leaked."""

import streamlit as st

from dashboard.topics.overview import leaks

TITLE = "Overview"
ICON = ":material/radar:"
ORDER = 0

st.title("What a text model gives away", anchor=False)
st.markdown(
    "A model trained on text keeps traces of it, and who may question the model can find them. Telltale plays attacks "
    "from the literature, and one of its own, against models whose texts are known, and measures how often they are "
    "right. **Attack only models and texts that are yours, or whose owner agrees.**"
)

attacks = leaks.shown()
if any(row.figures for _, row in (attack.best for attack in attacks)):
    leaks.figure(attacks)
    st.caption(
        "Each row is the undefended experiment of an attack that lies farthest beyond guessing: the best of several, "
        "which flatters the attack. The others are folded away below."
    )
else:
    st.info("No precomputed result is here. Open an experiment below and run it: the demo takes about a minute.")
leaks.listing(attacks)
