"""Early stopping of a language model between epochs: its state remembers the best weights so far."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.networks.states import Arrays, finished

_BEST, _LOSS, _WAITED = "best.", "validation loss", "epochs waited"


def has_stopped(state: Arrays, patience: int) -> bool:
    """Return whether the validation loss has not fallen for as many epochs."""
    return _WAITED in state and int(state[_WAITED]) >= patience


def judged(before: Arrays, after: Arrays, loss: float, patience: int, *, last: bool) -> dict[str, NDArray[Any]]:
    """Return the state after an epoch with its validation loss; once training ends, with the best weights.

    Args:
        before: The state before the epoch; empty before the first.
        after: The state after it.
        loss: The validation loss after it.
        patience: Epochs without a smaller one before training stops.
        last: Whether no epoch follows.
    """
    if _LOSS not in before or loss < float(before[_LOSS]):
        best, lowest, waited = finished(after), loss, 0
    else:
        best = {name.removeprefix(_BEST): array for name, array in before.items() if name.startswith(_BEST)}
        lowest, waited = float(before[_LOSS]), int(before[_WAITED]) + 1
    judgement = {_LOSS: np.array(lowest), _WAITED: np.array(waited)}
    if last or waited >= patience:
        return {**best, **judgement}
    return {**after, **judgement, **{f"{_BEST}{name}": array for name, array in best.items()}}
