"""What defenses hide and what they cost, one story at a time: of embeddings, of private training, of its options."""

import streamlit as st

from dashboard.kit import address, choices
from dashboard.topics.canaries import defenses
from dashboard.topics.defenses import sweep
from dashboard.topics.next_word import private_training

TITLE = "Defenses"
ICON = ":material/shield:"
ORDER = 60
QUESTION = "What helps?"

STORIES = {
    "Released embeddings": sweep.show,
    "Private training": private_training.show,
    "Training options": defenses.show,
}

st.title("Defenses", anchor=False)
address.clear()
st.markdown("What a defense hides, and what it costs.")
STORIES[choices.few("What the defense changes", list(STORIES), "view.changes")]()
