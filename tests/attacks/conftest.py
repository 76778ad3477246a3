"""Fixtures of the tests of attacks: games of membership draw fewer bits anew."""

from collections.abc import Iterator

import pytest

from core.games.membership.score import blind_baseline


@pytest.fixture(scope="module", autouse=True)
def few_bits_drawn_anew() -> Iterator[None]:
    """Judge the baseline of the text alone by 79 draws: with many, `tests/games/membership` tests it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blind_baseline, "REMARKED", 79)
        yield
