"""What only the user's organisation can say of a system; a report states it as declared, and infers nothing."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, Self

from core.errors import DataUnavailable, InvalidSpec, suggestion
from core.spec import Spec, parameter

_LONGEST = 2000
_NO_SHARE = "'tolerable' is a share above 0 and at most 1, with a decimal point. Got {!r} instead; '{}' would do."


class Declared(Spec):
    """What the user declares of the audited system; whatever is empty appears as not declared."""

    version: ClassVar[int] = 1

    system: str = parameter("", "What the audited system is and does.", max_length=_LONGEST)
    release: str = parameter("", "To whom the model or its vectors are released, and how.", max_length=_LONGEST)
    data: str = parameter("", "Whose texts the model was trained on or holds.", max_length=_LONGEST)
    attacker: str = parameter("", "The reasonably likely attacker: who, with which means.", max_length=_LONGEST)
    purpose: str = parameter("", "The decision that this report is meant for.", max_length=_LONGEST)
    auditor: str = parameter("", "Who ran the attacks.", max_length=_LONGEST)
    tolerable: float | None = parameter(
        None,
        "Largest leak that is tolerable, as a share of the way from chance to certainty: 0.1 is an accuracy of 0.55 "
        "where chance is 0.5.",
        gt=0,
        le=1,
    )

    @classmethod
    def read(cls, path: Path | None, assignments: Iterable[str] = ()) -> Self:
        """Read a TOML file, and then NAME=TEXT assignments, which win.

        Raises:
            InvalidSpec: A name or a value is not what is declared here.
            DataUnavailable: The file cannot be read.
        """
        values: dict[str, object] = {} if path is None else _table(path)
        for assignment in assignments:
            name, equals, text = assignment.partition("=")
            if not equals:
                raise InvalidSpec(f"--declare takes NAME=TEXT. Got {assignment!r} instead.", "declare")
            values[name.strip()] = text.strip()
        if isinstance(share := values.get("tolerable"), str):
            values["tolerable"] = _share(share)
        for name in values:
            if name not in cls.model_fields:
                hint = suggestion(name, cls.model_fields)
                raise InvalidSpec(f"A report has no declaration {name!r}.{hint}", name)
        return cls.parse(values)


def _share(text: str) -> float:
    """Return a share that was written as a text."""
    plain = text.removesuffix("%").strip().replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        raise InvalidSpec(_NO_SHARE.format(text, "0.1"), "tolerable") from None
    if text.endswith("%"):
        value /= 100
    if plain != text or not 0 < value <= 1:
        nearest = value if 0 < value <= 1 else value / 100 if 1 < value <= 100 else 0.1
        raise InvalidSpec(_NO_SHARE.format(text, f"{nearest:g}"), "tolerable")
    return value


def _table(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataUnavailable(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidSpec(f'{path} must be TOML with lines such as: system = "…". {error}.', "context") from error
