"""What an audit of one model draws: its targets with their secret bits, and what the adversary has."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.games.membership.contract import Target


@dataclass(frozen=True)
class Drawn:
    """The targets, and the documents that the adversary has.

    Attributes:
        targets: The targets, those that are in and those that are out in a random order.
        member: (targets,) the secret bits.
        cluster: (targets,) number of the owner of each; each target's own where owners are not named.
        auxiliary: Rows of the documents that the adversary has, unmarked.
        outside: Rows of the documents that it knows to be out; none in most games.
    """

    targets: tuple[Target, ...]
    member: NDArray[np.bool_]
    cluster: NDArray[np.int64]
    auxiliary: NDArray[np.int64]
    outside: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
