"""Games of tests draw and resample less often than those of users."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.games.audit import score as audit_score
from core.games.inversion import score as inversion_score
from core.games.membership import score as membership_score
from core.games.membership.score import blind_baseline
from core.games.ranking import score as ranking_score
from core.statistics import decisions, one_model


@contextmanager
def fewer() -> Iterator[None]:
    """Judge figures of one model and of the text alone by 99 draws, and by 200 resamples, of the band of a curve 40.

    With more draws, tests that have a fixture `few_draws` of their own, and with all, those of `tests/statistics`, show
    that intervals exclude chance as rarely as they promise, and hold the figure.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (one_model, blind_baseline, ranking_score):
            patch.setattr(module, "REMARKED", 99)
        for module in (audit_score, membership_score):
            patch.setattr(module, "ROC_RESAMPLES", 40)
        patch.setattr(decisions, "RESAMPLES", 200)
        patch.setattr(inversion_score, "_RESAMPLES", 200)
        yield
