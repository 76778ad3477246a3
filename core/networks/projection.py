"""A projection after which vectors of pairs that belong together are more alike than those of other pairs."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

_STEPS = 200
_RATE, _LINE_RATE = 0.3, 0.1
_SLOPE = 5.0
_LEFT_OUT = 0.25
_EVERY = 5


def learn(
    first: NDArray[np.float32],
    second: NDArray[np.float32],
    together: NDArray[np.bool_],
    group: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Return a projection W, (dimension, dimension), learnt from labelled pairs (Song and Raghunathan 2020, Eq. 10).

    The probability that a pair belongs together is the logistic function of ``a cos(W' x, W' y) + b``; W begins as the
    identity, and a and b are learnt with it. All pairs are one batch, and the steps are plain gradient descent: Adam's
    move every number of W alike, and fit the pairs rather than what they share. Learning stops where the loss on a
    quarter of the groups, which do not teach, is smallest; that may be before the first step.

    Args:
        first: (pairs, dimension) one side.
        second: (pairs, dimension) the other.
        together: (pairs,) the labels.
        group: (pairs,) pairs of one group teach together or not at all.
        rng: Draws the groups that do not teach.
    """
    torch.set_num_threads(1)
    names = np.unique(group)
    held = np.isin(group, rng.permutation(names)[: round(_LEFT_OUT * len(names))])
    one, other, label = (torch.from_numpy(np.asarray(part, np.float32)) for part in (first, second, together))
    weight = torch.eye(one.shape[1], requires_grad=True)
    line = torch.tensor([_SLOPE, 0.0], requires_grad=True)
    optimiser = torch.optim.SGD([{"params": [weight], "lr": _RATE}, {"params": [line], "lr": _LINE_RATE}])
    teaches, checks = (torch.from_numpy(np.flatnonzero(rows)) for rows in (~held, held))

    def loss(rows: torch.Tensor) -> torch.Tensor:
        alike = nn.functional.cosine_similarity(one[rows] @ weight, other[rows] @ weight, dim=1)
        return nn.functional.binary_cross_entropy_with_logits(line[0] * alike + line[1], label[rows])

    best, kept = float("inf"), weight.detach().clone()
    for step in range(_STEPS + 1):
        if step % _EVERY == 0 and len(checks):
            with torch.no_grad():
                now = float(loss(checks))
            if now < best:
                best, kept = now, weight.detach().clone()
        optimiser.zero_grad(set_to_none=True)
        loss(teaches).backward()
        optimiser.step()
    return np.asarray(kept.numpy())
