"""Fixtures of the tests of games: marks are drawn anew and curves resampled less often."""

from collections.abc import Iterator

import pytest

from core.games.audit import score as audit_score
from core.games.inversion import score as inversion_score
from core.games.membership import score as membership_score
from core.games.membership.score import blind_baseline
from core.games.ranking import score as ranking_score
from core.statistics import decisions, one_model


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """Judge figures of one model and of the text alone by 99 draws, and by 200 resamples, of the band of a curve 40.

    With all draws, `test_blind.py`, `membership/test_blind_baseline.py` and `tests/statistics/test_one_model.py` test
    that intervals exclude chance as rarely as they promise, and `inversion/test_score.py` that they hold the figure.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (one_model, blind_baseline, ranking_score):
            patch.setattr(module, "REMARKED", 99)
        for module in (audit_score, membership_score):
            patch.setattr(module, "ROC_RESAMPLES", 40)
        patch.setattr(decisions, "RESAMPLES", 200)
        patch.setattr(inversion_score, "_RESAMPLES", 200)
        yield
