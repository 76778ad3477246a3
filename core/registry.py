"""Finds attacks, models, datasets, defenses and games in their folders: one file, one part."""

import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from pydantic import GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from core.errors import TelltaleError, UnknownPart
from core.spec import Spec

FOLDERS: Mapping[str, str] = {
    "dataset": "core.datasets",
    "model": "core.models",
    "defense": "core.defenses",
    "game": "core.games",
    "attack": "core.attacks",
}
_CLASS = re.compile("^class ", re.MULTILINE)


class Part(Spec):
    """A spec with a file of its own, whose name is the name of the part.

    A field annotated with an abstract part (``dataset: Dataset``) takes an instance, a name, or a mapping of
    parameters with the name under ``part``.
    """

    kind: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    def is_abstract(cls) -> bool:
        """Tell whether this is a base class of a kind, rather than a part with its own file."""
        module = cls.__module__
        if not module.startswith("core."):
            return False
        return module == __name__ or modules(cls.kind).get(module[module.rindex(".") + 1 :]) != module

    @model_validator(mode="before")
    @classmethod
    def _drop_own_name(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and not cls.is_abstract() and values.get("part") == cls.part_name():
            return {name: field for name, field in values.items() if name != "part"}
        return values

    @classmethod
    def by_name(cls, name: str) -> type[Self]:
        """Return the part of this kind with a name.

        >>> from core.datasets import Dataset
        >>> Dataset.by_name("wikipedia_excerpt").part_name()
        'wikipedia_excerpt'

        Raises:
            UnknownPart: No part has that name; the message suggests the nearest.
            TypeError: It is no part of this class.
        """
        found = part(cls.kind, name)
        if not issubclass(found, cls):
            raise TypeError(f"{name} is no {cls.__name__}")
        return found

    @classmethod
    def part_name(cls) -> str:
        """Return the name of the part's file, or of the kind for a base class."""
        return cls.kind if cls.is_abstract() else cls.__module__.rpartition(".")[2]

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the source and revision of each encoder that this part itself loads."""
        return ()

    def as_dict(self) -> dict[str, Any]:
        """Return the part's name and its fields as plain JSON values."""
        return {"part": self.part_name(), **super().as_dict()}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let a field annotated with a base class hold any part of its kind."""
        if cls.is_abstract():
            return core_schema.no_info_plain_validator_function(cls.resolve)
        return handler(source)

    @classmethod
    def resolve(cls, value: Any) -> Self:
        """Return the part given by its name, or by a mapping with the name under ``part``.

        Raises:
            UnknownPart: No part of this kind has that name.
            InvalidSpec: A parameter breaks its rule.
            ValueError: The value is neither of them.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            value = {"part": value}
        if not isinstance(value, Mapping) or not isinstance(value.get("part"), str):
            raise ValueError(f"the name of a {cls.kind}, or its parameters with the name under 'part'")
        return cast(Self, part(cls.kind, value["part"]).parse(value))


@cache
def modules(kind: str) -> Mapping[str, str]:
    """Return the module of each part of a kind by name, in alphabetical order.

    Parts may lie in subfolders, which only group them. A game is a folder itself, whose ``__init__`` declares it.
    """
    return dict(sorted(_modules(kind, FOLDERS[kind])))


def _modules(kind: str, package: str) -> Iterator[tuple[str, str]]:
    for folder in import_module(package).__path__:
        for module in pkgutil.iter_modules([folder]):
            path = f"{package}.{module.name}"
            if kind == "game":
                if module.ispkg and _CLASS.search(Path(folder, module.name, "__init__.py").read_text("utf-8")):
                    yield module.name, path
            elif not module.ispkg:
                yield module.name, path
            else:
                yield from _modules(kind, path)


def names(kind: str) -> tuple[str, ...]:
    """Return the names of all parts of a kind, in alphabetical order."""
    return tuple(modules(kind))


@cache
def part(kind: str, name: str) -> type[Part]:
    """Return the part of a kind with a name.

    Raises:
        UnknownPart: No part has that name; the message suggests the nearest.
        TelltaleError: Its file does not declare exactly one part.
    """
    if name not in names(kind):
        raise UnknownPart(kind, name, names(kind))
    module = import_module(modules(kind)[name])
    declared = [
        cls
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if issubclass(cls, Part) and cls.__module__ == module.__name__ and cls.kind == kind
    ]
    if len(declared) != 1:
        titles = ", ".join(cls.__name__ for cls in declared) or "none"
        raise TelltaleError(
            f"{module.__name__} must declare exactly one {kind}. It declares {titles}. A second one needs a file of "
            f"its own, and what is none lies outside {FOLDERS[kind]}."
        )
    return declared[0]


def parts(kind: str) -> tuple[type[Part], ...]:
    """Return all parts of a kind, in alphabetical order."""
    return tuple(part(kind, name) for name in names(kind))
