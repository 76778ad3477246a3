"""Parameters written as text: ``attack.shadow_pairs=50`` on the command line and in the address bar."""

import json
from collections.abc import Mapping
from typing import Any

from core.errors import InvalidSpec, suggestion
from core.spec import Spec


def value_of(text: str) -> Any:
    """Read a value as JSON where it is JSON, as a list where it has commas, as text otherwise.

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
    """Turn dotted names into nested mappings; a part's own name stands under ``part``.

    >>> nested({"dataset": "enron", "dataset.label": "ham", "seed": 1})
    {'dataset': {'part': 'enron', 'label': 'ham'}, 'seed': 1}

    Raises:
        InvalidSpec: A name has an empty step, or goes below something that has no fields.
    """
    tree: dict[str, Any] = {}
    for name, value in sorted(flat.items()):
        steps = name.split(".")
        if not all(steps):
            raise InvalidSpec(f"{name!r} is not the name of a parameter.", name)
        place = tree
        for step in steps[:-1]:
            below = place.get(step, {})
            if isinstance(below, str):
                below = {"part": below}
            if not isinstance(below, dict):
                raise InvalidSpec(f"{step!r} in {name!r} has no parameters of its own.", name)
            place[step] = below
            place = below
        place[steps[-1]] = value
    return tree


def flattened(spec: Spec) -> dict[str, Any]:
    """Return every field of a spec, and of the specs inside it, under its dotted name; `nested` is the inverse."""
    return dict(_walk("", spec.as_dict()))


def qualified(name: str, spec: Spec) -> str:
    """Return the full dotted name of a parameter given by its last part, when only one has it.

    Raises:
        InvalidSpec: None has it, or more than one.
    """
    known = flattened(spec)
    if name in known or "." in name:
        return name
    ends = [path for path in known if path.rpartition(".")[2] == name and not path.startswith("defenses")]
    if len(ends) > 1:
        raise InvalidSpec(f"{name!r} could be any of {', '.join(ends)}. Write the whole name.", name)
    if not ends:
        lasts = {path.rpartition(".")[2] for path in known} - {"part"}
        raise InvalidSpec(f"This experiment has no parameter {name!r}.{suggestion(name, sorted(lasts))}", name)
    return ends[0]


def _walk(prefix: str, values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        path = f"{prefix}.{name}" if prefix else name
        if isinstance(value, dict):
            found.append((path, value.get("part")))
            found += _walk(path, {inner: below for inner, below in value.items() if inner != "part"})
        else:
            found.append((path, value))
    return found
