"""What defenses ask of training."""

from dataclasses import dataclass, fields, replace

from core.errors import Incompatible
from core.privacy import Promise


@dataclass(frozen=True)
class Recipe:
    """What training does to protect what it learns from; each field by default leaves it as the model has it.

    Attributes:
        promise: What is promised to each document, where training is differentially private.
        dropout: Shares of the inputs and of the hidden units that are left out at each step.
        patience: Passes without a smaller validation loss after which training ends, with the weights of the smallest.
        characters: Whether a word is read by its characters too.
        adversary: Weight of an adversary that is trained alongside to read words back, and that training works against.
    """

    promise: Promise | None = None
    dropout: tuple[float, float] | None = None
    patience: int | None = None
    characters: bool | None = None
    adversary: float | None = None

    def joined(self, other: "Recipe") -> "Recipe":
        """Return what both ask for.

        Raises:
            Incompatible: They ask for different things of one kind, or for things that do not go together.
        """
        asked = {field.name: value for field in fields(other) if (value := getattr(other, field.name)) is not None}
        for name in asked:
            if getattr(self, name) is not None:
                raise Incompatible(f"Two defenses set the {name} of training, which can follow one only. Drop one.")
        both = replace(self, **asked)
        if both.promise is not None and both.patience is not None:
            raise Incompatible(
                "When to stop would be chosen by data that the promise does not cover. Drop one of the two defenses, "
                "and choose the number of passes beforehand."
            )
        return both
