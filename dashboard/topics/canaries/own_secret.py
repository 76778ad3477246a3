"""A secret of the visitor's own: a field on the page, whose button runs the experiment that plants it."""

from itertools import cycle, islice

import streamlit as st

from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.extraction import Extraction
from core.jobs.needs import needs
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import links, running
from dashboard.kit.forms import mistakes, needed
from dashboard.kit.words import literal

_SECRET = "own.secret"
_PUBLIC = (
    "The secret goes into the address of this page, so into the browser’s history and into every link that is shared, "
    "and stays with the result. Type an invented one."
)


def ask(experiment: Experiment) -> None:
    """Ask for a secret, and open the same experiment with it; its run starts where nothing must be downloaded first."""
    field = Extraction.model_fields["secret"]
    with st.form("own-secret", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        secret = st.text_input(
            str(field.title),
            str(experiment.as_dict()["game"]["secret"]),
            max_chars=120,
            placeholder=_example(int(experiment.as_dict()["game"]["length"])),
            key=_SECRET,
            help=field.description,
            width=280,
        )
        submitted = st.form_submit_button("Plant it and read it out", icon=":material/password:")
    needed.tell_duration(experiment, unlike="another secret")
    st.caption(_PUBLIC)
    if submitted:
        try:
            other = experiment.replace(game=experiment.game.replace(secret=secret))
        except InvalidSpec as error:
            st.warning(literal(f"{field.title}: {mistakes.plainly(error)}"), icon=":material/edit:")
        else:
            _open(other)


def _example(length: int) -> str:
    """Return two secrets of as many words as the experiment plants."""
    return f"{''.join(islice(cycle('4711'), length))}, or {' '.join(islice(cycle(('red', 'blue', 'pink')), length))}"


def _open(experiment: Experiment) -> None:
    if (page := navigation.page_of(experiment.attack.part_name())) is not None:
        if not needs(experiment):
            running.want(experiment)
        st.switch_page(page.path, query_params=links.written(experiment, Store()))
