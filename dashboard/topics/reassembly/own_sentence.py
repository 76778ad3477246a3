"""A sentence of the user, embedded and classified like the victims' texts."""

import streamlit as st

from core.attacks.own_text import OwnText
from core.errors import TelltaleError
from core.experiment import Experiment
from dashboard.kit import own_text, panels, running, stored_results
from dashboard.topics.reassembly.figures import reassembly as bars

_TEXT = "view.text"
_LONGEST = 10_000


def show(experiment: Experiment) -> None:
    """Ask for a sentence, and show which keywords its embedding gives away."""
    st.header("A sentence for this experiment", anchor=False)
    st.markdown(
        "A run embeds it with this experiment’s encoder and defense, and asks this experiment’s classifiers for its "
        "keywords. They are trained once: only the first sentence takes long. “Type a sentence”, above, answers at "
        "once instead, without them."
    )
    st.session_state.setdefault(_TEXT, OwnText.model_fields["text"].default)
    if (linked := own_text.linked()) is not None:
        st.session_state[_TEXT] = linked
    text = st.text_area(
        "Sentence for the run",
        max_chars=_LONGEST,
        height=80,
        key=_TEXT,
        on_change=own_text.unlink,
        help="It is stored only on this machine, with its result.",
    )
    classified = own_text.about(experiment, text)
    try:
        result = stored_results.load(classified.key)
    except TelltaleError as error:
        panels.show_error(error)
        return
    if result is None:
        running.panel(classified, name="own-run")
        return
    words = own_text.ranked(result)
    sentence, title = own_text.sentence(words), "Keywords revealed by the embedding"
    panels.figure(bars.figure(words), words, "own-sentence", sentence, title=title)
