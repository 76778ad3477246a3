"""Declared parameters of a `Spec` class, as forms and links need them."""

import re
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from pydantic.fields import FieldInfo

from core.datasets import Dataset
from core.encoders.records import NamesEncoders
from core.experiment import Experiment, fitting
from core.games.attack import Attack
from core.registry import Part, parts
from core.spec import Holds, Spec
from core.statistics.wording.naming import spoken
from core.text.contents import Documents
from dashboard.kit.figures.wording import joined

GROUPS = {"attack": "Attack", "game": "Rules of the game"}
"""Titles of the groups that a form folds away, by the fields of an experiment."""

Kind = Literal["bool", "int", "float", "str", "choice", "part", "parts", "tuple"]


@dataclass(frozen=True)
class Parameter:
    """One declared parameter, as a form or a link needs it.

    Attributes:
        name: Name of the field.
        label: Label beside the widget.
        help: One sentence.
        unit: Unit of the number, or empty.
        kind: Kind of value; ``part`` is one part of a kind, ``parts`` several, ``tuple`` several plain values.
        default: Declared default, None where there is none.
        optional: Whether None is allowed.
        advanced: Whether forms fold it away.
        low: Smallest allowed value.
        above: Value that must be exceeded.
        high: Largest allowed value.
        shortest: Fewest items of a tuple, or characters of a text.
        longest: Most items of a tuple, or characters of a text.
        choices: Allowed values of a ``choice``, or of each item of a ``tuple`` of choices.
        item: Kind of the items of a ``tuple``.
        holds: Class of the part or parts.
        content: Contents that a dataset must hold here; by default those that the attack reads.
        encoders: Whether it names encoders, each perhaps with ``@`` and a pooling behind it in a ``tuple``.
        bundled: Name and title of each that comes with the code, where it names others than those on record.
        is_path: Whether it is the path of a user's own file or folder, which the dashboard takes as an upload.
    """

    name: str
    label: str
    help: str
    unit: str
    kind: Kind
    default: Any
    optional: bool
    advanced: bool
    low: float | None = None
    above: float | None = None
    high: float | None = None
    shortest: int | None = None
    longest: int | None = None
    choices: tuple[Any, ...] = ()
    item: Kind | None = None
    holds: type[Spec] | None = None
    content: type | None = None
    encoders: bool = False
    bundled: tuple[tuple[str, str], ...] = ()
    is_path: bool = False

    @property
    def lists_encoders(self) -> bool:
        """Whether it names several encoders, each perhaps with ``@`` and a pooling behind it."""
        return self.encoders and self.kind == "tuple"

    @property
    def bounds(self) -> str:
        """Return in words which numbers are allowed, to follow “a number”; empty without a bound."""
        if self.kind not in ("int", "float"):
            return ""
        low, high = (None if bound is None else f"{bound:,.10g}" for bound in (self.low, self.high))
        if self.above is not None:
            return f"above {self.above:,.10g}{f' and at most {high}' if high else ''}"
        if low and high:
            return f"from {low} to {high}"
        return f"from {low} up" if low else f"up to {high}" if high else ""


@cache
def parameters(cls: type[Spec]) -> Mapping[str, Parameter]:
    """Return the declared parameters of a spec by name, in the order of their declaration."""
    return {name: _read(name, field) for name, field in cls.model_fields.items()}


def parts_of(experiment: Experiment) -> tuple[Spec, ...]:
    """Return the parts of an experiment that have parameters."""
    return (experiment.dataset, experiment.model, *experiment.defenses, experiment.game, experiment.attack)


def offers(parameter: Parameter, attack: type[Attack] | None = None) -> tuple[type[Part], ...]:
    """Return the parts a field may hold: those that fit the field, and the attack where one is given."""
    base = parameter.holds
    if base is None or not issubclass(base, Part):
        return ()
    if not base.is_abstract():
        return (base,)
    known = parts(base.kind)
    if issubclass(base, Dataset):
        wanted = parameter.content or (Documents if attack is None else attack.reads)
        return tuple(cls for cls in known if issubclass(cls, Dataset) and cls.holds is wanted)
    if attack is None:
        return known
    if base.kind in ("model", "defense"):
        return fitting(attack, base.kind)
    if base.kind == "game":
        return tuple(cls for cls in known if cls.part_name() == attack.game)
    return known


def _read(name: str, field: FieldInfo) -> Parameter:
    annotation, optional = _without_none(field.annotation)
    kind, choices, item, holds = _kind(annotation)
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    rules: dict[str, Any] = {}
    for rule in field.metadata:
        if isinstance(rule, Ge):
            rules["low"] = rule.ge
        elif isinstance(rule, Gt):
            rules["above"] = rule.gt
        elif isinstance(rule, Le):
            rules["high"] = rule.le
        elif isinstance(rule, MinLen):
            rules["shortest"] = rule.min_length
        elif isinstance(rule, MaxLen):
            rules["longest"] = rule.max_length
        elif isinstance(rule, Holds):
            rules["content"] = rule.content
        elif isinstance(rule, NamesEncoders):
            rules |= {"encoders": True, "bundled": rule.bundled}
    return Parameter(
        name=name,
        label=field.title or spoken(name),
        help=field.description or "",
        unit=str(extra.get("unit", "")),
        kind=kind,
        default=None if field.is_required() else field.default,
        optional=optional,
        advanced=bool(extra.get("advanced", False)),
        is_path=bool(extra.get("is_path", False)),
        choices=choices,
        item=item,
        holds=holds,
        **rules,
    )


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        options = [option for option in get_args(annotation) if option is not types.NoneType]
        if len(options) == 1 and len(options) < len(get_args(annotation)):
            return options[0], True
    return annotation, False


def _kind(annotation: Any) -> tuple[Kind, tuple[Any, ...], Kind | None, type[Spec] | None]:
    if get_origin(annotation) is Annotated:
        return _kind(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return "choice", get_args(annotation), None, None
    if get_origin(annotation) is tuple:
        kind, choices, _, holds = _kind(get_args(annotation)[0])
        return ("parts", (), None, holds) if kind == "part" else ("tuple", choices, kind, None)
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return "part", (), None, annotation
    plain: dict[Any, Kind] = {bool: "bool", int: "int", float: "float", str: "str"}
    if annotation in plain:
        return plain[annotation], (), None, None
    raise TypeError(f"A form cannot show a parameter of type {annotation!r}.")


def named(experiment: Experiment, text: str) -> dict[str, str]:
    """Return the settings of the folded groups that a text names: their dotted paths, and their labels.

    >>> named(Experiment.preset("word_pairs", "demo"), "The nearest training set that fits is 120.")
    {'game.documents': 'Training set'}
    """
    names = {}
    for name in GROUPS:
        spec: Spec = getattr(experiment, name)
        for parameter in parameters(type(spec)).values():
            if not parameter.advanced and re.search(rf"(?<!\w){re.escape(parameter.label)}(?!\w)", text, re.IGNORECASE):
                names[f"{name}.{parameter.name}"] = parameter.label
    return names


def places(named: Mapping[str, str]) -> str:
    """Return where a form has settings by their dotted paths and labels, each group once.

    >>> places({"game.targets": "Targets", "game.documents": "Training set", "attack.probes": "Probes"})
    '“Targets” and “Training set” under “Rules of the game” and “Probes” under “Attack”'
    """
    groups: dict[str, list[str]] = {}
    for path, label in named.items():
        groups.setdefault(GROUPS[path.partition(".")[0]], []).append(f"“{label}”")
    return joined([f"{joined(labels)} under “{title}”" for title, labels in groups.items()])


def listed(experiment: Experiment, changes: Mapping[str, Any]) -> str:
    """Return settings by their labels, with the new value of each.

    >>> listed(Experiment.preset("word_pairs", "demo"), {"game.documents": 120, "game.target_sizes": [1, 5]})
    'Training set to 120, Target sizes to 1, 5'
    """
    texts = []
    for path, value in changes.items():
        *steps, name = path.split(".")
        spec: Spec = attrgetter(".".join(steps))(experiment) if steps else experiment
        texts.append(f"{parameters(type(spec))[name].label} to {_formatted(value)}")
    return ", ".join(texts)


def _formatted(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return (
        f"{value:.2g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value or "none")
    )
