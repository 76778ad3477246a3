"""How many members, and how many others, an adversary takes for members at a threshold."""

from typing import Any

import pandas as pd

from core.adversaries.own_sets import promised
from core.runtime.seeding import generator
from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval
from core.statistics.jackknife import figures_over_targets
from core.statistics.wording import measured, percent
from core.statistics.wording.naming import documents
from dashboard.kit.figures.tables import by_size, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

_BESIDE_SETS = "known_outs"
"""Variant that compares a target with sets known to be out."""


@once
def taken(decisions: pd.DataFrame, *, member: bool) -> Interval:
    """Return the share of the decisions about members, or about others, that say “member”, with its 95% interval.

    Args:
        decisions: Columns target, play, member, score and guess.
        member: Whether those about members count.
    """
    wide: Any = decisions.pivot(index="play", columns="target").dropna()
    inside = wide["member"].to_numpy(bool) == member
    made = Decisions(inside, wide["score"].to_numpy(float), guess=wide["guess"].to_numpy(bool))
    return figures_over_targets(made, ("recall",), generator(0, "thresholds"))["recall"]


@once
def sentence(scores: pd.DataFrame, rivals: pd.DataFrame, sets: int, elsewhere: str = "") -> str:
    """Read aloud how many the adversary beside sets known to be out takes for members.

    Args:
        scores: The table ``scores`` of the game.
        rivals: The table ``rivals`` of the game, with that adversary.
        sets: Number of the sets of each size.
        elsewhere: What the sets are of, where that is not what the targets are of.
    """
    beside = where(rivals, "variant", _BESIDE_SETS)[["target", "play", "score", "guess"]]
    decisions = scores[["target", "size", "play", "member"]].merge(beside, on=["target", "play"])
    shares = {
        documents(size): [taken(part.drop(columns="size"), member=member) for member in (False, True)]
        for size, part in by_size(decisions)
    }
    alarms, found = (
        joined(
            [
                f"{measured(*each[kind], named=not number)} for {size}"
                for number, (size, each) in enumerate(shares.items())
            ]
        )
        for kind in (0, 1)
    )
    allowed = promised(sets)
    text = (
        f"Beside {sets:,} sets known to be out (after RMIA), at most {percent(allowed)} of the non-members should pass "
        f"for members, and {alarms} do. Of the members it finds {found}."
    )
    if elsewhere:
        text += f" The sets are {elsewhere}, so nothing is promised of targets from elsewhere."
    elif above := [size for size, (passed, _) in shares.items() if passed.low > allowed]:
        text += f" More pass than should for {joined(above)}: the sets do not stand for these targets."
    return text
