"""The plain values of a parameter as the text of links and fields, and back."""

import math
import re
from collections.abc import Sequence
from typing import Any, cast

from core.errors import InvalidSpec, suggestion
from dashboard.kit.inputs.declared import Kind, Parameter

_INTEGER = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
_ONE = {"bool": "true or false", "int": "a whole number", "float": "a number"}
SEVERAL = {"int": "whole numbers", "float": "numbers", "str": "words"}
"""What the values of a list must be, by their kind."""


def parsed(text: str, parameter: Parameter, name: str) -> Any:
    """Return the plain value of a text; bounds are left to the spec.

    Raises:
        InvalidSpec: The text is no value of the parameter's kind.
    """
    if parameter.optional and text == "none":
        return None
    if parameter.kind == "tuple":
        items = [item.strip() for item in text.split(",")] if text.strip() else []
        if len(items) > 1000:
            raise refused(name, "a list of at most 1,000 values", text)
        if parameter.item == "choice":
            return _several_of(parameter, items, name, text)
        if parameter.item == "str" and not all(items):
            raise refused(name, "words with one comma between two", text)
        return tuple(_plain(item, cast(Kind, parameter.item), name, text, listed=True) for item in items)
    if parameter.kind == "choice":
        return _one_of(parameter, text, name)
    return _plain(text, parameter.kind, name, text)


def formatted(value: Any) -> str:
    """Return a plain value as the text of a link; the inverse of `parsed`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(formatted(item) for item in value)
    return repr(value) if isinstance(value, float) else str(value)


def _several_of(parameter: Parameter, items: Sequence[str], name: str, entry: str) -> tuple[Any, ...]:
    if len(set(items)) < len(items):
        raise refused(name, f"names that differ, of {', '.join(map(str, parameter.choices))}", entry)
    return tuple(_one_of(parameter, item, name) for item in items)


def _one_of(parameter: Parameter, text: str, name: str) -> Any:
    for choice in parameter.choices:
        if str(choice) == text:
            return choice
    known = [str(choice) for choice in parameter.choices]
    raise InvalidSpec(
        f"The {name[:80]!r} parameter must be one of {', '.join(known)}. Got {short(text)} instead."
        f"{suggestion(text, known) if len(text) < 80 else ''}",
        name,
    )


def _plain(text: str, kind: Kind, name: str, entry: str, *, listed: bool = False) -> Any:
    if kind == "str":
        return text
    if kind == "bool" and text in ("true", "false"):
        return text == "true"
    if kind == "int" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "float" and len(text) <= 40:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
    rule = f"{SEVERAL[kind]}, with a comma between two" if listed else _ONE.get(kind, "a plain value")
    raise refused(name, rule, entry)


def refused(name: str, rule: str, text: str) -> InvalidSpec:
    """Return the error of a text that breaks the rule of a parameter."""
    return InvalidSpec(f"The {name[:80]!r} parameter must be {rule}. Got {short(text)} instead.", name)


def short(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}..."
