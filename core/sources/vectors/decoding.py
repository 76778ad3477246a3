"""From numbers as they are stored to coordinates: whole numbers with a scale, and packed signs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidVectors


@dataclass(frozen=True)
class Decoding:
    """How stored numbers become coordinates.

    Attributes:
        scale: What one step of a whole number is worth; 0 where it is not said.
        zero: The whole number that stands for 0.
        packed: Whether each byte holds the signs of eight coordinates, the first in its highest bit.
    """

    scale: float = 0.0
    zero: int = 0
    packed: bool = False

    def __call__(self, numbers: NDArray[Any], where: str) -> NDArray[np.float32]:
        """Return coordinates, (rows, dimension).

        Raises:
            InvalidVectors: Whole numbers have no scale, or packed signs are no bytes.
        """
        if self.packed:
            if numbers.dtype not in (np.uint8, np.int8):
                raise InvalidVectors(f"Packed signs must be bytes (uint8). The vectors are {where}.")
            return np.unpackbits(numbers.view(np.uint8), axis=1).astype(np.float32) * 2 - 1
        if numbers.dtype.kind in "iu":
            if not self.scale:
                raise InvalidVectors(
                    f"The vectors are {where}: whole numbers without a scale. Set 'scale' to what one step is worth "
                    "(scale=1 will do where only directions matter), set 'zero' where 0 has another code, or "
                    "set 'storage' to bits."
                )
            return (numbers.astype(np.float32) - self.zero) * np.float32(self.scale)
        with np.errstate(over="ignore"):  # what is beyond 32 bits is infinite, and counted as not finite
            return numbers.astype(np.float32, copy=False)
