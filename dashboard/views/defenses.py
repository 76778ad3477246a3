"""What each defense hides and what it costs, for every task on which several strengths were tried."""

import streamlit as st

from dashboard.kit import sweeps
from dashboard.topics.canaries import defenses
from dashboard.topics.defenses import sweep
from dashboard.topics.next_word import private_training

TITLE = "Defenses"
ICON = ":material/shield:"
ORDER = 60

st.title("Defenses", anchor=False)
st.markdown(
    "Embeddings can be blurred before release. They then serve less well, and an adversary who knows how it was done "
    "trains on embeddings blurred alike. What is left of the service, and what is left to that adversary? A language "
    "model can be trained so that no single document moves it much; what that costs stands further down. At the end, "
    "habits of training that were proposed against secrets being read out of a network."
)
sweep.show(sweeps.found())
private_training.show()
defenses.show()
