"""How figures vary over units, by the bootstrap: a known answer."""

import numpy as np
import pytest

from core.statistics.decisions import Decisions
from core.statistics.leave_outs import spread


def test_the_bootstrap_over_few_models_has_the_variance_of_their_mean() -> None:
    """Resamples of four values vary by three quarters of it."""
    member = np.random.default_rng(0).random((4, 50)) < 0.5
    right = np.arange(50) < np.array([[20], [28], [40], [46]])
    models = np.broadcast_to(np.arange(4)[:, None], member.shape)
    decisions = Decisions(member, np.where(member == right, 1.0, -1.0))
    variance = spread(decisions, ["accuracy"], models, np.random.default_rng(1))["accuracy"]
    assert variance == pytest.approx(right.mean(axis=1).var(ddof=1) / 4, rel=0.15)
