"""The adversaries in figures of the topic: their names and looks."""

import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.shared import once

ATTACK, NAIVE = "The attack", "Naive adversary"
LOOKS = {ATTACK: theme.Mark(theme.MEMBER, "circle"), NAIVE: theme.Mark(theme.AGAINST, "diamond", "dashdot")}


@once
def of(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of each adversary by its name, those of the attack first."""
    parts = {ATTACK: frame[frame["variant"] != "naive"], NAIVE: frame[frame["variant"] == "naive"]}
    return {name: part for name, part in parts.items() if len(part)}
