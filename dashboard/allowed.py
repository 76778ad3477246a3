"""What a visitor may have the server read: encoders that its owner allows, and documents that were uploaded."""

import os

from core.encoders.records import RECORDS
from core.errors import InvalidSpec, suggestion
from core.runtime.store import Store
from core.spec import Spec
from dashboard import uploads
from dashboard.declared import parameters

VARIABLE = "TELLTALE_ENCODERS"
"""Environment variable with the folders of further encoders that a visitor may name."""


def sources() -> tuple[str, ...]:
    """Return what a visitor may call an encoder: names on record, and the folders that the owner lists."""
    return (*RECORDS, *filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def check(spec: Spec, store: Store, path: str = "") -> None:
    """Refuse an experiment, or a part of one, that would read what its visitor may not name.

    Args:
        spec: What was asked for.
        store: Whose uploads may be read.
        path: Where it stands in the experiment, with a final dot, to name the field.

    Raises:
        InvalidSpec: It names such an encoder or such documents.
    """
    for name in parameters(type(spec)):
        value, place = getattr(spec, name), path + name
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Spec):
                check(inner, store, f"{place}.")
        check_field(spec, name, value, place)
        if uploads.is_place(spec, name) and value and not uploads.called(store, value):
            raise InvalidSpec(f"The {place!r} parameter must be something uploaded here.", place)


def check_field(owner: Spec, name: str, value: object, place: str) -> None:
    """Refuse a field that names an encoder which a visitor may not.

    A revision may be anybody's proposal to change a model, so it is for the owner to choose as well.

    Args:
        owner: The part that has the field.
        name: The field.
        value: What it is to hold.
        place: Where it stands in the experiment.

    Raises:
        InvalidSpec: It names such an encoder.
    """
    part = getattr(owner, "part_name", str)()
    if (part, name) == ("encoder", "source"):
        _check_source(str(value), place)
    elif (part, name) == ("encoder_fingerprint", "candidates") and isinstance(value, tuple):
        for candidate in value:
            if source := str(candidate).partition("@")[0]:
                _check_source(source, place)
    elif (part, name) == ("encoder", "revision") and value:
        raise InvalidSpec(
            f"The {place!r} parameter must be empty in the browser. On the command line it may be any commit.", place
        )


def _check_source(source: str, place: str) -> None:
    if source not in (known := sources()):
        raise InvalidSpec(
            f"The {place!r} parameter must name an encoder that this server offers. Got {source[:60]!r} instead."
            f"{suggestion(source[:60], known)} Its owner can offer folders by {VARIABLE}; on the command line, any "
            "folder and any id on the hub will do.",
            place,
        )
