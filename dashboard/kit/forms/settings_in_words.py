"""The settings of an experiment in words: those that differ from what is declared."""

from pathlib import Path
from typing import Any

from core.encoders.folders import is_hub_id
from core.encoders.records import RECORDS
from core.experiment import Experiment
from core.registry import Part
from core.spec import Spec
from dashboard.kit.figures import foreign
from dashboard.kit.figures.encoders import candidate
from dashboard.kit.figures.wording import joined
from dashboard.kit.inputs.declared import parameters, parts_of
from dashboard.kit.words import singular, uncapitalised

_QUOTED = 60
"""Most characters of a text that is shown."""


def of(experiment: Experiment) -> str:
    """Return every setting that differs from its declared default, in words."""
    changed = [text for owner in parts_of(experiment) for text in _changed(owner)]
    return f"Settings: {', '.join(changed)}." if changed else "Settings: the declared defaults."


def _changed(part: Spec) -> list[str]:
    """Return each setting of a part that differs from its default, in words."""
    changed = []
    for name, parameter in parameters(type(part)).items():
        value = getattr(part, name)
        if value != parameter.default and not parameter.is_path:
            unit = parameter.unit if parameter.unit not in parameter.label.lower() else ""
            value = _folder(value) if parameter.encoders and isinstance(value, str) else value
            called = joined([candidate(name) for name in value]) if parameter.lists_encoders else _formatted(value)
            text = f"{called} {singular(unit) if value in (1, (1,)) else unit}".rstrip()
            changed.append(f"{uncapitalised(parameter.label)} {text}")
    return changed


def _folder(encoder: str) -> str:
    """Return an encoder as a page names it: of a folder of the server the name alone."""
    return encoder if encoder in RECORDS or is_hub_id(encoder) else Path(encoder).name


def _formatted(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_formatted, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{value:,}" if float(value).is_integer() else f"{value:,.15f}".rstrip("0")
    if isinstance(value, str) and (" " in value or not value):
        return f"“{foreign.cut(value, _QUOTED)}”"
    return (value.title if isinstance(value, Part) else str(value)).replace("_", " ")
