"""The field of a form that takes an encoder: those that this server offers."""

from functools import partial

import streamlit as st

from dashboard.kit.forms import needed, widgets
from dashboard.kit.inputs import allowed
from dashboard.kit.inputs.declared import Parameter


def choose(parameter: Parameter, value: str, path: str, key: str) -> str:
    """Draw the field, and return the source of the encoder chosen."""
    options = list(allowed.sources(parameter))
    chosen: str = st.selectbox(
        widgets.label(parameter),
        options,
        format_func=partial(needed.encoder_title, bundled=parameter.bundled),
        **widgets.chosen(key, value, options),
        on_change=partial(widgets.propose_length, key) if path == "model.source" else None,
        help=f"{widgets.help_of(parameter)} {needed.MARKED} The server’s owner offers more by {allowed.VARIABLE}.",
    )
    return chosen
