"""The security games: each draws the secret, lets the adversary play, and scores its answers."""

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from core.datasets import Dataset
from core.defenses import Defense
from core.games.attack import Attack
from core.registry import Part
from core.result import Estimate, Schema
from core.runtime.context import RunContext
from core.targets.model import Model

if TYPE_CHECKING:
    import pandas as pd


class Game(Part):
    """The rules of a security experiment.

    ``tables`` declares the tables that the game yields for any attack.
    """

    kind: ClassVar[str] = "game"
    tables: ClassVar[dict[str, Schema]]

    @abstractmethod
    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Draw the secret, let the adversary play, and return estimates and tables."""
