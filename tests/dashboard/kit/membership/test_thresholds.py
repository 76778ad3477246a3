"""What an adversary beside sets known to be out takes for members: the sentence changes with the tables."""

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.membership.figures import thresholds


def tables(passed: float, found: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return decisions about 10 targets by 40 models, of which shares of the others, and of the members, pass."""
    rng = np.random.default_rng(0)
    plays, targets = np.indices((40, 10)).reshape(2, -1)
    member = np.arange(400) % 2 == 0
    guess = rng.random(400) < np.where(member, found, passed)
    asked = pd.DataFrame({"target": targets, "size": 10, "play": plays, "member": member})
    score = np.where(guess, 0.2, -0.2)
    told = pd.DataFrame({"variant": "known_outs", "target": targets, "play": plays, "score": score, "guess": guess})
    return asked, told


def test_the_shares_are_those_of_the_tables_with_their_intervals() -> None:
    asked, told = tables(0.3, 0.9)
    decisions = asked.merge(told, on=["target", "play"])[["target", "play", "member", "score", "guess"]]
    for member in (True, False):
        share = thresholds.taken(decisions, member=member)
        assert share.value == pytest.approx(told["guess"][asked["member"] == member].mean())
        assert share.low < share.value < share.high


@pytest.mark.parametrize(("passed", "above"), [(0.02, False), (0.4, True)])
def test_more_that_pass_than_may_are_told(passed: float, above: bool) -> None:
    text = thresholds.sentence(*tables(passed, 0.9), 25)
    assert "Beside 25 sets" in text and "at most 4% of the non-members should pass for members" in text
    assert ("More pass than should for 10 documents" in text) == above


def test_of_targets_from_elsewhere_nothing_is_promised() -> None:
    text = thresholds.sentence(*tables(0.4, 0.9), 39, "R mailing lists")
    assert (
        "at most 5% of the non-members should pass" in text
        and "The sets are R mailing lists, so nothing is promised" in text
    )
    assert "More pass" not in text
