"""Paths of the user's own files, which a result names wherever it is read."""

from typing import Any, TypeVar

from core.errors import InvalidDocuments
from core.sources import user_files
from core.spec import Spec

_Declared = TypeVar("_Declared", bound=Spec)


def located(spec: _Declared) -> _Declared:
    """Return a spec with absolute paths of the files and folders that are there; its key stays.

    A result stores how it was asked for. A relative path is found only where the command was called.
    """
    changes: dict[str, Any] = {}
    for name, field in type(spec).model_fields.items():
        value, extra = getattr(spec, name), field.json_schema_extra
        if isinstance(value, Spec):
            changes[name] = located(value)
        elif isinstance(extra, dict) and extra.get("is_path") and value.strip():
            changes[name] = _absolute(value)
    changes = {name: value for name, value in changes.items() if value != getattr(spec, name)}
    return spec.replace(**changes) if changes else spec


def _absolute(path: str) -> str:
    try:
        return str(user_files.located(path).absolute())
    except InvalidDocuments:
        return path
