"""Fixtures of the tests of attacks: games draw fewer bits anew, and resample less often."""

from collections.abc import Iterator

import pytest

from core.games.inversion import score as inversion_score
from core.games.membership import score as membership_score
from core.games.membership.score import blind_baseline
from core.statistics import decisions


@pytest.fixture(scope="module", autouse=True)
def few_bits_drawn_anew() -> Iterator[None]:
    """Judge the baseline of the text alone by 79 draws: with many, `tests/games/membership` tests it.

    Figures are resampled 200 times, and the band of a curve 40 times, as in tests of games.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blind_baseline, "REMARKED", 79)
        patch.setattr(membership_score, "ROC_RESAMPLES", 40)
        patch.setattr(decisions, "RESAMPLES", 200)
        patch.setattr(inversion_score, "_RESAMPLES", 200)
        yield
