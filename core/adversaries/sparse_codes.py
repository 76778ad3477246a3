"""Sparse, non-negative codes: which few atoms, in which shares, add up to a vector."""

import numpy as np
from numpy.typing import NDArray


def sparse_codes(
    atoms: NDArray[np.float32], targets: NDArray[np.float32], penalties: NDArray[np.float32], iterations: int
) -> NDArray[np.float32]:
    """Return the shares, (targets, atoms), with the smallest error, all targets in one optimisation.

    Minimises, for each target t with its penalties,

        1/2 |z A - t|^2 + sum over atoms a of  penalty_a z_a,   z >= 0,

    by accelerated proximal gradient steps (FISTA, Beck and Teboulle 2009), begun anew wherever the momentum points
    uphill (O'Donoghue and Candès 2015).

    Args:
        atoms: (atoms, dimension).
        targets: (targets, dimension).
        penalties: (targets, atoms) weight of the l1 penalty; may be (targets, 1) or (1, atoms).
        iterations: Steps.
    """
    steepest = np.float32(np.linalg.eigvalsh(atoms.T.astype(np.float64) @ atoms)[-1])
    codes = np.zeros((len(targets), len(atoms)), np.float32)
    if not len(targets) or steepest <= 0:
        return codes
    offset = (targets @ atoms.T - penalties) / steepest
    # Each step writes into arrays that are there, rather than into new ones.
    ahead, stepped, moved, uphill = (np.zeros_like(codes) for _ in range(4))
    momentum = np.ones((len(targets), 1), np.float32)
    for _ in range(iterations):
        np.matmul(ahead @ atoms, atoms.T, out=stepped)
        stepped /= steepest
        np.subtract(ahead, stepped, out=stepped)
        stepped += offset
        np.maximum(stepped, 0, out=stepped)
        np.subtract(stepped, codes, out=moved)
        ahead -= stepped
        np.multiply(ahead, moved, out=uphill)
        momentum = np.where(uphill.sum(axis=1, keepdims=True) > 0, np.float32(1), momentum)
        grown = np.asarray((1 + np.sqrt(1 + 4 * momentum**2)) / 2, np.float32)
        moved *= np.asarray((momentum - 1) / grown, np.float32)
        np.add(stepped, moved, out=ahead)
        codes, stepped, momentum = stepped, codes, grown
    return codes
