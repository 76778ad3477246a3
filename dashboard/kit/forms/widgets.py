"""One plain parameter, one widget."""

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.encoders.records import RECORDS
from core.errors import InvalidSpec
from core.registry import Part
from core.statistics.wording.naming import capitalised, spoken
from dashboard.kit.forms import needed
from dashboard.kit.inputs import allowed, plain_text
from dashboard.kit.inputs.declared import Parameter
from dashboard.kit.words import literal

_SAFE = 2**53 - 1
"""The largest whole number that a browser holds exactly."""


def initialised(key: str, value: Any, options: list[Any] | None = None) -> str:
    """Give a widget its first value, unless it has one that is still allowed; return its key."""
    if key not in st.session_state or (options is not None and st.session_state[key] not in options):
        st.session_state[key] = value
    return key


def begun(key: str, value: Any) -> dict[str, Any]:
    """Return the key and value of a widget; the browser takes the value again whenever it draws the widget anew.

    A widget that knows its value from the session alone would then start at its lowest value, and send that.
    """
    return {"key": initialised(key, value), "value": st.session_state[key]}


def chosen(key: str, value: Any, options: list[Any]) -> dict[str, Any]:
    """Return the key and index of a select box; the browser likewise takes its choice again."""
    return {"key": initialised(key, value, options), "index": options.index(st.session_state[key])}


def plain(parameter: Parameter, value: Any, path: str, key: str) -> Any:
    """Draw the widget of a parameter that holds no part, and return its value.

    Raises:
        InvalidSpec: The text is no list of values, or too few choices are made.
    """
    common: dict[str, Any] = {"label": label(parameter), "help": help_of(parameter)}
    if parameter.kind == "bool":
        return st.toggle(**common, **begun(key, value))
    if parameter.kind == "choice":
        return _choice(parameter, value, key, common)
    # The form says in words what lies beyond the bounds; Streamlit would only turn the field red.
    if parameter.kind == "int":
        return st.number_input(**common, max_value=_SAFE, step=1, **begun(key, value))
    if parameter.kind == "float":
        return st.number_input(**common, step=_step(parameter), format="%g", **begun(key, value))
    if parameter.kind == "tuple" and parameter.item == "choice":
        return _several(parameter, value, path, key, common)
    if parameter.kind == "tuple":
        text = st.text_input(**common, **begun(key, plain_text.formatted(value).replace(",", ", ")))
        return plain_text.parsed(text, parameter, path)
    return st.text_input(**common, max_chars=parameter.longest, **begun(key, value))


def encoder(parameter: Parameter, value: str, path: str, key: str) -> str:
    """Draw the field that takes an encoder, of those that this server offers, and return the source of the chosen."""
    options = list(allowed.sources(parameter))
    source: str = st.selectbox(
        label(parameter),
        options,
        format_func=partial(needed.encoder_title, bundled=parameter.bundled),
        **chosen(key, value, options),
        on_change=partial(propose_length, key) if path == "model.source" else None,
        help=f"{help_of(parameter)} {needed.MARKED} The server’s owner offers more by {allowed.VARIABLE}.",
    )
    return source


def propose_length(key: str) -> None:
    """Scale embeddings to length one, or leave them raw, as the makers of the encoder just chosen do."""
    record = RECORDS.get(st.session_state[key])
    makers_scale = record is not None and record.normalise
    st.session_state[f"{key.removesuffix('source')}length"] = "unit" if makers_scale else "raw"


def _choice(parameter: Parameter, value: Any, key: str, common: Mapping[str, Any]) -> Any:
    options = list(parameter.choices)
    words = {option: option_title(str(option), parameter.help) for option in options}
    initialised(key, value, options)
    if len(options) <= 3 and sum(map(len, words.values())) <= 30:
        return st.segmented_control(**common, options=options, format_func=words.__getitem__, key=key, required=True)
    return st.selectbox(**common, options=options, format_func=words.__getitem__, **chosen(key, value, options))


def _several(parameter: Parameter, value: Any, path: str, key: str, common: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the chosen options in their given order, or after a change in the declared one.

    So the same choices are the same experiment, in whatever order they are made.
    """
    words = {option: option_title(str(option), parameter.help) for option in parameter.choices}
    chosen = st.pills(
        **common,
        options=list(parameter.choices),
        format_func=words.__getitem__,
        key=initialised(key, list(value)),
        selection_mode="multi",
    )
    if len(chosen) < (parameter.shortest or 0):
        raise InvalidSpec(
            f"The {path!r} parameter must hold at least {parameter.shortest} of {', '.join(map(str, words))}. "
            f"Got {', '.join(map(str, chosen)) or 'none'} instead.",
            path,
        )
    if set(chosen) == set(value):
        return tuple(value)
    return tuple(
        option for option in dict.fromkeys([*(parameter.default or ()), *parameter.choices]) if option in chosen
    )


def label(parameter: Parameter) -> str:
    """Return the label of the widget, with the unit where the name does not state it."""
    unit = "" if parameter.unit in parameter.label.lower() else parameter.unit
    return f"{parameter.label} ({unit})" if unit else parameter.label


def help_of(parameter: Parameter) -> str:
    """Return the sentence of help, with the bounds of a number."""
    return literal(parameter.help) + (f" {capitalised(parameter.bounds)}." if parameter.bounds else "")


def title(cls: type[Part] | None) -> str:
    """Return the title of a part."""
    return "none" if cls is None else capitalised(cls.title)


def option_title(value: str, help: str) -> str:  # noqa: A002 - the word of the declarations
    """Return a choice in words, spelled as the help spells it.

    >>> option_title("cbow", "from its context (CBOW)"), option_title("skip_gram", "the word (skip-gram).")
    ('CBOW', 'Skip-gram')
    """
    match = re.search(rf"\b{re.escape(value).replace('_', '[-_ ]')}\b", help, re.IGNORECASE)
    return spoken(match.group() if match else value)


def _step(parameter: Parameter) -> float:
    size = abs(parameter.default) if isinstance(parameter.default, (int, float)) and parameter.default else 1.0
    return float(10 ** math.floor(math.log10(size)) / 2)
