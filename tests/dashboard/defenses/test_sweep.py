"""The figures of a setting beside those without a defense."""

import pytest

from core.result import Estimate
from dashboard.topics.defenses import sweep


@pytest.mark.parametrize(
    ("after", "said"), [(0.804, "−1 point"), (0.806, "−0.2 points"), (0.815, "1 point"), (0.91, "+10 points")]
)
def test_a_change_agrees_with_both_figures_as_written(after: float, said: str) -> None:
    def share(value: float) -> Estimate:
        return Estimate(value=value, low=value - 0.02, high=value + 0.02, chance=0.5, unit="share of texts")

    assert sweep._change(share(after), share(0.808), useful=True)["delta"] == said


def test_a_change_of_an_area_is_told_in_points() -> None:
    before, after = (
        Estimate(value=value, low=value, high=value, chance=0.5, unit="probability") for value in (0.5, 0.6)
    )
    assert sweep._change(after, before, useful=False)["delta"] == "+10 points"
