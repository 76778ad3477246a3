"""The members with the highest scores, by their numbers and not their texts."""

import pandas as pd

from core.statistics.wording.naming import capitalised
from dashboard.kit.shared import once

_COLUMNS = ("label", "score", "stricter")
OWNERS = "How exposed each owner of five documents or more is"
OWNER_COLUMNS = {
    "owner": "Owner",
    "documents": "Documents",
    "outs": "Compared with, out",
    "ahead": "How often what is out scores lower (chance 0.50)",
    "low": "95% from",
    "high": "to",
}
_MOST = 50


def title(unit: str) -> str:
    """Return the title of the table; ``unit`` is what a target is."""
    return f"{capitalised(unit)}s that give themselves away most, by their numbers"


def columns(unit: str) -> dict[str, str]:
    """Return the headings of the table."""
    return dict(zip(_COLUMNS, (capitalised(unit), "Score", f"{capitalised(unit)}s out that score higher"), strict=True))


@once
def table(scores: pd.DataFrame, targets: pd.DataFrame, attack: str, named: bool) -> pd.DataFrame:
    """Return the members, the highest score first, each with the share of non-members that score higher.

    Args:
        scores: Table of the game.
        targets: Table of the game.
        attack: Name of the attack.
        named: Whether to name owners; otherwise the targets are numbered.
    """
    if not named:
        targets = targets.assign(label=[f"target {number + 1}" for number in targets["target"]])
    attack_scores = scores[scores["variant"] == attack].merge(targets[["target", "label"]], on="target")
    outside = attack_scores[~attack_scores["member"]]["score"].to_numpy()
    inside = attack_scores[attack_scores["member"]].sort_values("score", ascending=False, kind="stable").head(_MOST)
    share = [float((outside > score).mean()) if len(outside) else float("nan") for score in inside["score"]]
    return inside.assign(stricter=share)[list(_COLUMNS)].reset_index(drop=True)
