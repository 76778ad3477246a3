"""What each defense hides and what it costs, for every task on which several strengths were tried."""

import streamlit as st

from dashboard.kit import address, sweeps
from dashboard.topics.canaries import defenses
from dashboard.topics.defenses import sweep
from dashboard.topics.next_word import private_training

TITLE = "Defenses"
ICON = ":material/shield:"
ORDER = 60
QUESTION = "What helps?"

address.show({})  # the browser’s Back may leave an experiment there
st.title("Defenses", anchor=False)
st.markdown(
    "Noise, rounding or a projection can change embeddings before release. Their utility falls, and an adaptive "
    "adversary trains on embeddings with the same defense. How much utility remains, and how much can that adversary "
    "still infer? Below: private training of a language model, which limits the influence of each document, and its "
    "cost; then training options that were proposed against the extraction of secrets."
)
sweep.show(sweeps.found())
private_training.show()
defenses.show()
