"""Training that leaves tokens out of the loss."""

from typing import ClassVar

from core.access import Access
from core.access.language_models import TO_LANGUAGE_MODELS
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class TokenDropping(TrainingDefense):
    """Never train on some tokens, chosen by those before them: the goldfish loss (Hans et al. 2024, section 3).

    A hash of 13 tokens decides whether the last of them is left out of the loss, so that every copy of a passage leaves
    out the same tokens. The model has to guess these when it recites. It was made against recitation; the loss of a
    document still tells whether it was in, by the tokens that stay (section 6.1 there).
    """

    title: ClassVar[str] = "token dropping (goldfish loss)"
    protects: ClassVar[frozenset[type[Access]]] = TO_LANGUAGE_MODELS

    every: int = parameter(
        4,
        "Leave one in k tokens out of the loss (k of the paper).",
        label="One of",
        unit="tokens",
        ge=2,
        le=1000,
    )

    def on_training(self) -> TrainingOptions:
        """Return how many tokens one is left out of."""
        return TrainingOptions(dropped=self.every)
