"""The encoder behind stored vectors, where the adversary cannot run it."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible
from core.runtime.context import RunContext
from core.targets.sentence_encoder import SentenceModel
from core.text.vectors import Vectors


class UnknownEncoder(SentenceModel):
    """An encoder of which there are stored vectors only.

    The adversary has the vectors of those texts that leaked with them, and no others: its own texts teach it as far as
    they are stored. Nothing can be embedded anew, so that defenses that do so cannot be tried, nor a sentence of yours.
    """

    title: ClassVar[str] = "Unknown encoder"
    version: ClassVar[int] = 2
    reads: ClassVar[type] = Vectors
    known: ClassVar[bool] = False

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        """Refuse.

        Raises:
            Incompatible: Always.
        """
        raise Incompatible("The encoder is unknown, so that no text but the stored ones has a vector.")
