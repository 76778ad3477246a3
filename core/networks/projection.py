"""A projection after which the vectors of matching pairs are more similar than those of other pairs."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from core.networks.states import descend

_STEPS = 200
_RATE, _LINE_RATE = 0.3, 0.1
_SLOPE = 5.0
_HELD_OUT = 0.25
_EVERY = 5


def learn(
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    together: NDArray[np.bool_],
    group: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Return a projection W, (dimension, dimension), trained on labelled pairs (Song and Raghunathan 2020, Eq. 10).

    The probability that a pair matches is the logistic function of ``a cos(W' x, W' y) + b``. W starts as the identity;
    a and b are trained too. All pairs are one batch of plain gradient descent, because Adam overfits: it moves every
    entry of W equally far. Early stopping uses a held-out quarter of the groups, and may keep the identity.

    Args:
        first: (pairs, dimension) one side.
        second: (pairs, dimension) the other.
        together: (pairs,) whether a pair matches.
        group: (pairs,) group of each pair; a group is held out as a whole.
        rng: Draws the held-out groups.
    """
    torch.set_num_threads(1)
    names = np.unique(group)
    held_out = np.isin(group, rng.permutation(names)[: round(_HELD_OUT * len(names))])
    left, right, label = (torch.from_numpy(np.asarray(array, np.float32)) for array in (first, second, together))
    weight = torch.eye(left.shape[1], requires_grad=True)
    line = torch.tensor([_SLOPE, 0.0], requires_grad=True)
    optimiser = torch.optim.SGD([{"params": [weight], "lr": _RATE}, {"params": [line], "lr": _LINE_RATE}])
    training, validation = (torch.from_numpy(np.flatnonzero(rows)) for rows in (~held_out, held_out))

    def loss(rows: torch.Tensor) -> torch.Tensor:
        cosines = nn.functional.cosine_similarity(left[rows] @ weight, right[rows] @ weight, dim=1)
        return nn.functional.binary_cross_entropy_with_logits(line[0] * cosines + line[1], label[rows])

    lowest, best = float("inf"), weight.detach().clone()
    for step in range(_STEPS + 1):
        if step % _EVERY == 0 and len(validation):
            with torch.no_grad():
                current = float(loss(validation))
            if current < lowest:
                lowest, best = current, weight.detach().clone()
        descend(optimiser, loss(training))
    return np.asarray(best.numpy())
