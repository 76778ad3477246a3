"""Overrides: parameters as text, such as ``attack.shadow_pairs=50``, on the command line and in links."""

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from core.datasets import Dataset
from core.datasets.documents import Documents
from core.datasets.requests.own_requests import OwnRequests
from core.datasets.translations.parallel_text import ParallelText
from core.errors import InvalidSpec, suggestion
from core.experiment import Experiment, fitting
from core.registry import parts
from core.spec import Spec

_S = TypeVar("_S", bound=Spec)
_OWN: tuple[type[Dataset], ...] = (Documents, OwnRequests, ParallelText)
"""Datasets that read a file of one's own."""
_OF_FILES = frozenset({"path", "file", "folder", *Documents.model_fields})
"""What somebody may name who wants a file of theirs read, without saying so."""


def value_of(text: str) -> Any:
    """Read a value as JSON, else as a list if it has commas, else as text; nothing stays an empty text.

    >>> value_of("50"), value_of("1,10"), value_of("true"), value_of("skip_gram")
    (50, [1, 10], True, 'skip_gram')
    """
    for attempt in (text, f"[{text}]") if text else ():
        try:
            return json.loads(attempt)
        except (ValueError, RecursionError):
            continue
    return text


def assignment(text: str) -> tuple[str, Any]:
    """Return name and value of an assignment, ``name=value``.

    Raises:
        InvalidSpec: It has no value.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidSpec(f"--set takes NAME=VALUE. Got {text!r} instead.", name)
    return name.strip(), value_of(value.strip())


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


def overridden(spec: _S, flat: Mapping[str, Any]) -> _S:
    """Return a spec with some parameters replaced, by dotted name.

    Raises:
        InvalidSpec: A value breaks its rule, or there is no such parameter.
    """
    return type(spec).parse(_merged(spec.as_dict(), nested(flat)))


def with_assignments(experiment: Experiment, assignments: Iterable[str]) -> Experiment:
    """Return an experiment with the parameters of ``--set``; owners are attacked where a column names them.

    Args:
        experiment: The experiment.
        assignments: Each ``name=value``; the end of a dotted name suffices where only one parameter has it. A parameter
            of a defense is named alone, or behind the defense: ``dp_sgd.epsilon=8``. One about owners wins over the
            column.

    Raises:
        InvalidSpec: An assignment has no value, or breaks a rule, or there is no such parameter.
    """
    flat: dict[str, Any] = {}
    for name, value in map(assignment, assignments):
        if (number := _of_defense(name, experiment)) is None:
            flat[qualified(name, experiment)] = value
        else:
            defenses = flat.setdefault("defenses", [defense.as_dict() for defense in experiment.defenses])
            defenses[number][name.rpartition(".")[2]] = value
    changed = overridden(experiment, flat)
    if not changed.dataset.names_owners():
        return changed
    return overridden(changed.replace(game=changed.game.with_owners(True)), flat)


def _of_defense(name: str, experiment: Experiment) -> int | None:
    """Return the number of the only defense that has a parameter; None where none has, or another part has it."""
    paths = [path for path in flattened(experiment) if not path.startswith("defenses.")]
    behind, _, field = name.rpartition(".")
    if name in paths or (not behind and any(path.rpartition(".")[2] == name for path in paths)):
        return None
    having = {
        number: defense.part_name()
        for number, defense in enumerate(experiment.defenses)
        if field in type(defense).model_fields and behind in ("", defense.part_name())
    }
    if len(having) > 1:
        whole = ", ".join(f"{defense}.{field}" for defense in having.values())
        raise InvalidSpec(f"{name!r} could be any of {whole}. Write the whole name.", name)
    return next(iter(having), None)


def assigned(flat: Mapping[str, Any]) -> str:
    """Return parameters as the options of the command line that set them; `value_of` reads each value back.

    >>> assigned({"game.documents": 120, "game.target_sizes": [1, 5]})
    '--set game.documents=120 --set game.target_sizes=1,5'
    """
    values = {name: value if isinstance(value, str) else json.dumps(value) for name, value in flat.items()}
    return " ".join(f"--set {name}={text.replace(' ', '').strip('[]')}" for name, text in values.items())


def flattened(spec: Spec) -> dict[str, Any]:
    """Return the fields of a spec and of the specs inside it by dotted name; `nested` is the inverse."""
    return dict(_walk("", spec.as_dict()))


def is_parameter(name: str, experiment: Experiment) -> bool:
    """Return whether `qualified` names one parameter of an experiment."""
    try:
        return qualified(name, experiment) in flattened(experiment)
    except InvalidSpec:
        return False


def qualified(name: str, experiment: Experiment) -> str:
    """Return the dotted name of the only parameter that ends in a name, or of the only one that is yet to be given.

    Raises:
        InvalidSpec: No parameter ends in it, or more than one.
    """
    paths = flattened(experiment)
    if name in paths or "." in name:
        return name
    ends = [path for path in paths if path.rpartition(".")[2] == name and not path.startswith("defenses")]
    if len(ends) > 1 and len(empty := [path for path in ends if paths[path] == ""]) == 1:
        return empty[0]
    if len(ends) > 1:
        raise InvalidSpec(f"{name!r} could be any of {', '.join(ends)}. Write the whole name.", name)
    if not ends:
        raise InvalidSpec(f"This experiment has no parameter {name!r}.{_hint(name, experiment)}", name)
    return ends[0]


def _hint(name: str, experiment: Experiment) -> str:
    """Return what to write in place of a parameter that an experiment lacks, as the end of a message."""
    described = _described_as(name, experiment)
    if not described and name in _OF_FILES:
        return _instead_of(name, experiment)
    if having := [cls.part_name() for cls in fitting(experiment.attack, "defense") if name in cls.model_fields]:
        return f" It is one of {having[0]}: --defense {having[0]} takes it."
    if described:
        return f" Did you mean {described[0]!r}?"
    specs: list[Spec] = [experiment.attack, experiment.dataset, experiment.model, experiment.game, *experiment.defenses]
    labels = {field: declared.title or "" for spec in specs for field, declared in type(spec).model_fields.items()}
    if name and not any(name in field for field in labels) and (foreign := _of_foreign_defense(name, experiment)):
        return foreign
    if not get_close_matches(name, labels, cutoff=0.5):
        near = get_close_matches(name.lower(), [label.lower() for label in labels.values()], n=1)
        name = next((field for field, label in labels.items() if [label.lower()] == near), name)
    listings = [f"'python -m core list {owner.part_name()}'" for owner in (experiment.attack, *experiment.defenses)]
    return suggestion(name, sorted({*labels, "seed"}), " or ".join(listings))


def _of_foreign_defense(name: str, experiment: Experiment) -> str:
    """Return that a parameter is one of defenses that do not fit the attack, and what does; empty where none has it."""
    having = [cls.part_name() for cls in parts("defense") if name in cls.model_fields]
    if not having:
        return ""
    attack, fit = experiment.attack.part_name(), [cls.part_name() for cls in fitting(experiment.attack, "defense")]
    several = len(having) > 1
    fits = f"--defense takes {' or '.join(fit)} there" if fit else "no defense fits it"
    return (
        f" It is one of the defense{'s' * several} {' and '.join(having)}, which {'do' if several else 'does'} not fit "
        f"{attack}; {fits}."
    )


def _instead_of(name: str, experiment: Experiment) -> str:
    """Return what to write in place of a parameter that the dataset lacks, and others of one's own files have."""
    fields = list(type(experiment.dataset).model_fields)
    if "source" in fields:
        *others, last = fields
        named = f"{experiment.dataset.title}: its parameters are {', '.join(others)} and {last}."
        return suggestion(name, fields, all_named=named)
    own_dataset = next((cls for cls in _OWN if issubclass(cls.holds, experiment.attack.reads)), None)
    read = f"; --dataset {own_dataset.part_name()} --set source=FILE reads your own" if own_dataset else ""
    return f" {experiment.dataset.title} is no data of yours{read}."


def _described_as(word: str, spec: Spec) -> list[str]:
    """Return the parameters whose help begins with a word."""
    names: list[str] = []
    for name, field in type(spec).model_fields.items():
        if (field.description or "").lower().startswith(f"{word.lower()} "):
            names.append(name)
        if isinstance(value := getattr(spec, name), Spec):
            names += _described_as(word, value)
    return names


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in changes.items():
        below = merged.get(name)
        if isinstance(value, dict) and isinstance(below, dict) and value.get("part", below["part"]) == below["part"]:
            merged[name] = _merged(below, value)
        else:
            merged[name] = value
    return merged


def _walk(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield prefix + name, value.get("part")
            yield from _walk(f"{prefix}{name}.", {inner: below for inner, below in value.items() if inner != "part"})
        else:
            yield prefix + name, value
