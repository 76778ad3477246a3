"""Files that a visitor may let the server read: encoders that its owner offers, and uploaded documents."""

import os
from collections.abc import Sequence

from core.encoders.records import RECORDS
from core.errors import InvalidSpec, suggestion
from core.runtime.store import Store
from core.spec import Spec
from dashboard.kit.inputs import uploads
from dashboard.kit.inputs.declared import Parameter, parameters

VARIABLE = "TELLTALE_ENCODERS"
"""Environment variable with the folders of further encoders that a visitor may name."""


def sources(parameter: Parameter) -> tuple[str, ...]:
    """Return the encoders that a visitor may name: known names, and folders that the owner lists."""
    known = [name for name, _ in parameter.bundled] or RECORDS
    return (*known, *filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def is_encoder(parameter: Parameter) -> bool:
    """Tell whether a parameter names one encoder."""
    return parameter.encoders and parameter.kind == "str"


def check(spec: Spec, store: Store, prefix: str = "") -> None:
    """Refuse an experiment, or a part of one, that would read files that its visitor may not name.

    Args:
        spec: The experiment or part.
        store: Store of the uploads that may be read.
        prefix: Dotted path of the part with a final dot, to name the field.

    Raises:
        InvalidSpec: It names a forbidden encoder or forbidden documents.
    """
    for name, parameter in parameters(type(spec)).items():
        value, path = getattr(spec, name), prefix + name
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Spec):
                check(inner, store, f"{path}.")
        check_field(spec, name, value, path)
        default = type(spec).model_fields[name].default
        if parameter.is_path and value not in ("", default) and not uploads.called(store, value):
            raise InvalidSpec(f"The {path!r} parameter must be something uploaded here.", path)


def check_field(owner: Spec, name: str, value: object, path: str) -> None:
    """Refuse a field that names an encoder which a visitor may not name.

    Anybody can propose a revision of a model on the hub, so only the owner may choose one.

    Args:
        owner: The part that has the field.
        name: Name of the field.
        value: Its new value.
        path: Dotted path of the field.

    Raises:
        InvalidSpec: It names a forbidden encoder.
    """
    fields = parameters(type(owner))
    if is_encoder(parameter := fields[name]):
        _check_source(str(value), path, sources(parameter))
    elif parameter.encoders and isinstance(value, tuple):
        for candidate in value:
            if source := str(candidate).partition("@")[0]:
                _check_source(source, path, sources(parameter))
    elif name == "revision" and value and any(map(is_encoder, fields.values())):
        raise InvalidSpec(
            f"The {path!r} parameter must be empty in the browser. On the command line it may be any commit.", path
        )


def _check_source(source: str, path: str, known: Sequence[str]) -> None:
    if source not in known:
        raise InvalidSpec(
            f"The {path!r} parameter must name an encoder that this server offers. Got {source[:60]!r} instead."
            f"{suggestion(source[:60], known)} Its owner can offer folders by {VARIABLE}; on the command line, any "
            "folder and any id on the hub will do.",
            path,
        )
