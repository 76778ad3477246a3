"""The base of every attack."""

from collections.abc import Mapping
from typing import Any, ClassVar

from core.access import Access
from core.registry import Part
from core.result import Schema
from core.text.contents import Documents


class Attack(Part):
    """An adversary with its parameters.

    Attributes:
        needs: The least access the adversary must have.
        reads: What the dataset must hold.
        question: The question it answers, in one sentence for the page.
        threat: What the adversary knows and may do, in one sentence for the page.
        game: Name of the security game it plays.
        defensible: Whether that game is played against defenses too.
        tables: Tables it yields beside the game's own.
        presets: Name to the parts of an experiment that the preset sets.
    """

    kind: ClassVar[str] = "attack"
    needs: ClassVar[type[Access]]
    reads: ClassVar[type] = Documents
    question: ClassVar[str]
    threat: ClassVar[str]
    game: ClassVar[str]
    defensible: ClassVar[bool] = True
    tables: ClassVar[dict[str, Schema]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]]

    def access(self) -> type[Access]:
        """Return the access that the adversary with these parameters must have: ``needs``, or more."""
        return self.needs
