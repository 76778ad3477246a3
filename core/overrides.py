"""Overrides: parameters as text, such as ``attack.shadow_pairs=50``, on the command line and in links."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import InvalidSpec, suggestion
from core.spec import Spec


def value_of(text: str) -> Any:
    """Read a value as JSON, else as a list if it has commas, else as text.

    >>> value_of("50"), value_of("1,10"), value_of("true"), value_of("skip_gram")
    (50, [1, 10], True, 'skip_gram')
    """
    for attempt in (text, f"[{text}]"):
        try:
            return json.loads(attempt)
        except (ValueError, RecursionError):
            continue
    return text


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Turn dotted names into nested mappings; the name of a part goes under ``part``.

    >>> nested({"dataset": "enron", "dataset.label": "ham", "seed": 1})
    {'dataset': {'part': 'enron', 'label': 'ham'}, 'seed': 1}

    Raises:
        InvalidSpec: A name has an empty step, or a step below a value without fields.
    """
    tree: dict[str, Any] = {}
    for name, value in sorted(flat.items()):
        steps = name.split(".")
        if not all(steps):
            raise InvalidSpec(f"{name!r} is not the name of a parameter.", name)
        branch = tree
        for step in steps[:-1]:
            below = branch.get(step, {})
            if isinstance(below, str):
                below = {"part": below}
            if not isinstance(below, dict):
                raise InvalidSpec(f"{step!r} in {name!r} has no parameters.", name)
            branch[step] = below
            branch = below
        branch[steps[-1]] = value
    return tree


def flattened(spec: Spec) -> dict[str, Any]:
    """Return the fields of a spec and of the specs inside it by dotted name; `nested` is the inverse."""
    return dict(_walk("", spec.as_dict()))


def qualified(name: str, spec: Spec) -> str:
    """Return the dotted name of the only parameter that ends in a name.

    Raises:
        InvalidSpec: No parameter ends in it, or more than one.
    """
    paths = flattened(spec)
    if name in paths or "." in name:
        return name
    ends = [path for path in paths if path.rpartition(".")[2] == name and not path.startswith("defenses")]
    if len(ends) > 1:
        raise InvalidSpec(f"{name!r} could be any of {', '.join(ends)}. Write the whole name.", name)
    if not ends:
        names = {path.rpartition(".")[2] for path in paths} - {"part"}
        raise InvalidSpec(f"This experiment has no parameter {name!r}.{suggestion(name, sorted(names))}", name)
    return ends[0]


def _walk(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield prefix + name, value.get("part")
            yield from _walk(f"{prefix}{name}.", {inner: below for inner, below in value.items() if inner != "part"})
        else:
            yield prefix + name, value
