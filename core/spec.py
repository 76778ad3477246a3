"""Parameters declared once: form, command line, link, cache key and error messages follow from the declaration."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self, cast, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from core.errors import InvalidSpec, suggestion
from core.keys import key_of


def parameter(
    default: Any,
    help: str,  # noqa: A002 - the word every form and command line uses
    *,
    label: str = "",
    unit: str = "",
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    max_length: int | None = None,
    min_length: int | None = None,
    advanced: bool = False,
    each_once: bool = False,
    is_path: bool = False,
    implied: Any = ...,
) -> Any:
    """Declare one parameter of a `Spec`: its default, bounds, unit and a sentence of help.

    Args:
        default: Value when none is given.
        help: One sentence for the form, the command line and the error message.
        label: Short name on forms; the name of the field in words when empty.
        unit: Unit of the number, for example ``"documents"``.
        ge: Smallest allowed value.
        gt: Lower bound that is not allowed itself.
        le: Largest allowed value.
        max_length: Longest allowed tuple or text.
        min_length: Shortest allowed tuple or text.
        advanced: Whether forms hide the parameter at first.
        each_once: Whether a tuple may hold each value only once.
        is_path: Whether it is the path of a user's own file or folder; who visits a server gives an upload instead.
        implied: Value that keys imply by leaving the parameter out, so that keys from before the parameter stay.
    """
    extra: dict[str, Any] = {"unit": unit, "advanced": advanced, "each_once": each_once, "is_path": is_path}
    if implied is not ...:
        extra["implied"] = _plain(implied)
    return Field(
        default,
        title=label or None,
        description=help,
        ge=ge,
        gt=gt,
        le=le,
        max_length=max_length,
        min_length=min_length,
        json_schema_extra=extra,
    )


def path_parameter(default: str, help: str, label: str = "") -> Any:  # noqa: A002
    """Declare the path of a user's own file or folder; arguments are those of `parameter`."""
    return parameter(default, help, label=label, max_length=4096, is_path=True)


@dataclass(frozen=True)
class Holds:
    """Restricts a field to datasets of one content type: ``Annotated[Dataset | None, Holds(Words)]``.

    Forms offer those datasets only. It is no part of a key.
    """

    content: type

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check the dataset after the rule of the field."""
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def _checked(self, value: Any) -> Any:
        if value is not None and value.holds is not self.content:
            raise InvalidSpec(
                f"A dataset that holds {self.content.__name__} is needed. "
                f"{value.part_name()} holds {value.holds.__name__}."
            )
        return value


class Spec(BaseModel):
    """Parameters declared once: frozen, bounded, hashable.

    Specs with equal fields are equal and have equal keys, however they were written. ``version`` is raised when the
    same fields would produce another result, which retires every stored result of the old version.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)
    version: ClassVar[int] = 1

    @model_validator(mode="before")
    @classmethod
    def _read_by_declaration(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        kinds = _kinds(cls)
        return {name: _converted(value, kinds.get(name)) for name, value in values.items()}

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        for name, each_once in _extras(type(self), "each_once").items():
            if each_once and len(set(values := getattr(self, name))) < len(values):
                received, distinct = (", ".join(map(str, listed)) for listed in (values, dict.fromkeys(values)))
                raise InvalidSpec(
                    f"The {name!r} parameter of {self.part_name()} must name each value once. Got {received} instead; "
                    f"{distinct} would do.",
                    name,
                )
        return self

    @classmethod
    def parse(cls, values: Mapping[str, Any] | None = None, /, path: str = "") -> Self:
        """Build the spec from plain values.

        Args:
            values: Field names to values, as in JSON, a form or a link.
            path: Dotted prefix for the field named in an error.

        Raises:
            InvalidSpec: A value breaks its rule, or a field does not exist.
        """
        try:
            return cls.model_validate(dict(values or {}))
        except ValidationError as error:
            raise _explained(cls, error, path) from None

    def replace(self, **changes: Any) -> Self:
        """Return a validated copy with some fields changed.

        Raises:
            InvalidSpec: A new value breaks its rule, or a field does not exist.
        """
        return type(self).parse({**{name: getattr(self, name) for name in type(self).model_fields}, **changes})

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON values; `parse` is its inverse."""
        return {name: _plain(getattr(self, name)) for name in type(self).model_fields}

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: fields, but for implied values, and the versions of this and inner specs."""
        fields = {name: _identity(getattr(self, name)) for name in type(self).model_fields}
        for name, implied in _extras(type(self), "implied").items():
            if fields[name] == implied:
                del fields[name]
        return {"part": self.part_name(), "version": self.version, **fields}

    @classmethod
    def part_name(cls) -> str:
        """Return the name of this spec in messages and keys."""
        return cls.__name__.lower()

    @property
    def key(self) -> str:
        """16 hex digits of the SHA-256 of the canonical JSON of `identity`."""
        return key_of(self.identity())


@cache
def _kinds(cls: type[Spec]) -> Mapping[str, Any]:
    """Return what each field of a spec holds, without the types of the items."""
    return {name: get_origin(field.annotation) or field.annotation for name, field in cls.model_fields.items()}


@cache
def _extras(cls: type[Spec], name: str) -> Mapping[str, Any]:
    """Return what the fields of a spec declare under a name of `parameter`, of those that do."""
    extras = {field: declared.json_schema_extra for field, declared in cls.model_fields.items()}
    return {field: extra[name] for field, extra in extras.items() if isinstance(extra, dict) and name in extra}


def _converted(value: Any, kind: Any) -> Any:
    """Return a text with commas or a number as a tuple, and a whole number as a text, where the field takes those."""
    if kind is tuple and isinstance(value, str):
        return tuple(item.strip() for item in value.split(",")) if value else ()
    if kind is tuple and isinstance(value, int | float):
        return (value,)
    return str(value) if kind is str and type(value) is int else value


def _plain(value: Any) -> Any:
    if isinstance(value, Spec):
        return value.as_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _identity(value: Any) -> Any:
    if isinstance(value, Spec):
        return value.identity()
    if isinstance(value, tuple):
        return [_identity(item) for item in value]
    return value


def _explained(cls: type[Spec], error: ValidationError, path: str) -> InvalidSpec:
    first = error.errors(include_url=False)[0]
    location = [str(step) for step in first["loc"]]
    field = ".".join([*([path] if path else []), *location])
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, InvalidSpec):
        return InvalidSpec(str(cause), ".".join(part for part in (field, cause.field) if part))
    if first["type"] == "extra_forbidden":
        hint = suggestion(location[-1], cls.model_fields)
        return InvalidSpec(f"{cls.part_name()} has no parameter {location[-1]!r}.{hint}", field)
    if first["type"] == "missing":
        return InvalidSpec(
            f"{cls.part_name()} needs a value for its {location[-1]!r} parameter, which has no default.", field
        )
    rule = first["msg"][0].lower() + first["msg"][1:]
    rule = rule.removeprefix("value error, ").removeprefix("input should be ").removeprefix("input should ")
    rule = rule.replace("string should have", "a text of")
    if first["type"] in ("too_short", "too_long") and first.get("ctx", {}).get("field_type") == "Tuple":
        bound, limit = ("at least", "min_length") if first["type"] == "too_short" else ("at most", "max_length")
        number = first["ctx"][limit]
        rule = f"a list of {bound} {number} {'value' if number == 1 else 'values'}"
    if first["type"] in ("greater_than", "greater_than_equal", "less_than_equal"):
        rule = f"a number{_bounds(cls, location)}"
    nearest = ""
    if first["type"] in ("int_from_float", "int_parsing", "int_parsing_size"):
        near = _nearest_whole(first["input"], cls, location)
        rule = "a whole number" if near else f"a whole number{_bounds(cls, location)}"
        nearest = f"; {near} would do" if near else _default(cls, location)
    elif first["type"] in ("float_parsing", "float_type"):
        rule, nearest = f"a number{_bounds(cls, location)}", _default(cls, location)
    received = repr(first["input"]) if first["input"] not in ((), []) else "an empty list"
    received = received if len(received) <= 80 else f"{received[:77]}..."
    name = field or cls.part_name()
    end = "" if rule.endswith(("?", ".")) else "."
    return InvalidSpec(
        f"The {name!r} parameter of {cls.part_name()} must be {rule}{end} Got {received} instead{nearest}.", field
    )


def bounds(rules: Sequence[Any]) -> str:
    """Return the bounds among the rules of a number in words, with a space before them; empty without any.

    >>> bounds([Ge(5), Le(500)]), bounds([Ge(0)]), bounds([Gt(0), Le(1)]), bounds([])
    (' from 5 to 500', ' of at least 0', ' above 0, at most 1', '')
    """
    limits = {
        type(rule): getattr(rule, type(rule).__name__.lower()) for rule in rules if isinstance(rule, Ge | Gt | Le)
    }
    low, above, high = (limits.get(kind) for kind in (Ge, Gt, Le))
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    begins = f" of at least {low:,}" if low is not None else f" above {above:,}" if above is not None else ""
    return begins + (f"{',' if begins else ' of'} at most {high:,}" if high is not None else "")


def _bounds(cls: type[Spec], location: Sequence[str]) -> str:
    return bounds(_rules(cls, location))


def _default(cls: type[Spec], location: Sequence[str]) -> str:
    """Return the default of a parameter as the end of an error; empty of an item of one, or without a default."""
    default = cls.model_fields[location[0]].get_default()
    return f"; {default} is the default" if len(location) == 1 and isinstance(default, int | float) else ""


def whole_beside(value: float | str, least: float = -math.inf, most: float = math.inf) -> str:
    """Return the whole numbers nearest to a number within bounds, in words; empty for what is no finite number.

    >>> whole_beside(1.5), whole_beside("-0.5", least=0), whole_beside("one")
    ('1 or 2', '0', '')
    """
    try:
        near = (min(max(end(float(value)), least), most) for end in (math.floor, math.ceil))
        return " or ".join(f"{number:.0f}" for number in dict.fromkeys(near))
    except (ValueError, OverflowError):
        return ""


def _nearest_whole(value: float | str, cls: type[Spec], location: Sequence[str]) -> str:
    """Return the whole numbers that a parameter, or an item of it, may hold in place of a number, in words."""
    rules = _rules(cls, location)
    least = max((cast(float, rule.ge) for rule in rules if isinstance(rule, Ge)), default=-math.inf)
    most = min((cast(float, rule.le) for rule in rules if isinstance(rule, Le)), default=math.inf)
    return whole_beside(value, least, most)


def _rules(cls: type[Spec], location: Sequence[str]) -> Sequence[Any]:
    """Return the rules of a parameter, or of an item of it."""
    field = cls.model_fields[location[0]]
    return field.metadata if len(location) == 1 else FieldInfo.from_annotation(get_args(field.annotation)[0]).metadata
