"""What an attack, or another part, can be told: presets, what fits it, and parameters with bounds and defaults."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from core.defenses import Defense
from core.errors import UnknownPart
from core.experiment import fitting
from core.games.attack import Attack
from core.registry import FOLDERS, Part, names, part
from core.spec import bounds
from core.targets.model import Model

_WIDTH = 110
"""Letters in a line."""


def of_named(name: str) -> list[str]:
    """Return what can be told to the parts of a name, whatever their kind, as lines.

    Raises:
        UnknownPart: No part has that name.
    """
    kinds = [kind for kind in FOLDERS if name in names(kind)]
    if not kinds:
        known = sorted({each for kind in FOLDERS for each in names(kind)})
        raise UnknownPart("part", name, known, "the names that 'python -m core list' prints")
    return [line for kind in kinds for line in _of(part(kind, name))]


def of_attack(words: Sequence[str]) -> list[str]:
    """Return the lines about the first attack that is named among the words of a command; none where none is."""
    return next((_of(part(Attack.kind, word)) for word in words if word in names(Attack.kind)), [])


def _of(cls: type[Part]) -> list[str]:
    lines = [f"{cls.part_name()}: {cls.kind}, {cls.title}"]
    if issubclass(cls, Attack):
        lines += _wrapped(f"--preset: {', '.join(cls.presets)}")
        for kind in (Model.kind, Defense.kind):
            fit = ", ".join(each.part_name() for each in fitting(cls, kind))
            lines += _wrapped(f"--{kind}: {fit or 'none'}")
    lines += ["--set, with bounds, and the default where the preset sets no other:", *_fields(cls)]
    if issubclass(cls, Attack):
        lines += [f"--set, of its game {cls.game}:", *_fields(part("game", cls.game))]
        lines += _wrapped("A model, a dataset and a defense have parameters, too: 'python -m core list NAME'.")
    return lines


def _fields(cls: type[Part]) -> Iterator[str]:
    for name, field in cls.model_fields.items():
        allowed = _allowed(field)
        default = "" if field.is_required() else f"default {_shown(field.get_default())}"
        rule = "; ".join(filter(None, [allowed, default]))
        yield from _wrapped(f"{name}: {field.description or ''} ({rule})" if rule else f"{name}: {field.description}")


def _allowed(field: FieldInfo) -> str:
    """Return the choices, or the bounds, of a parameter with its unit."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(map(str, get_args(field.annotation)))
    rules = list(field.metadata)
    if get_origin(field.annotation) is tuple and (items := get_args(field.annotation)):
        rules = list(FieldInfo.from_annotation(items[0]).metadata)
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    within = bounds(rules).strip()
    return f"{within} {extra.get('unit') or ''}".strip() if within else ""


def _shown(value: Any) -> str:
    if isinstance(value, Part):
        return value.part_name()
    if isinstance(value, tuple):
        return ",".join(map(_shown, value)) or "none"
    return "none" if value in ("", None) else str(value)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="      ", break_long_words=False)
