"""What a trainer can do against an attack."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.access import Access
from core.registry import Part


class Defense(Part):
    """A change to the data, to the training or to what is released; each the identity unless a defense says otherwise.

    ``protects`` is the access it weakens: a defense is offered for attacks that need that access.
    """

    kind: ClassVar[str] = "defense"
    protects: ClassVar[type[Access]]

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return those documents of one user that are trained on."""
        return documents

    def on_release(self, access: Access, rng: np.random.Generator) -> Access:
        """Return what is released in place of the trained model."""
        return access
