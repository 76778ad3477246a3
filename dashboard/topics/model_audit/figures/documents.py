"""The documents in that give themselves away most, by their numbers and not their texts."""

import pandas as pd

from dashboard.kit.shared import once

TITLE = "Documents that give themselves away most, by their numbers"
COLUMNS = {"label": "Document or owner", "score": "Score", "stricter": "Documents out that score higher"}
_MOST = 50


@once
def table(scores: pd.DataFrame, targets: pd.DataFrame) -> pd.DataFrame:
    """Return the targets that are in, the highest score first, and what share of those out scores higher.

    Args:
        scores: Table of the game.
        targets: Table of the game.
    """
    own = scores[scores["variant"] == "word_pair_audit"].merge(targets[["target", "label"]], on="target")
    outside = own[~own["member"]]["score"].to_numpy()
    inside = own[own["member"]].sort_values("score", ascending=False, kind="stable").head(_MOST)
    share = [float((outside > score).mean()) if len(outside) else float("nan") for score in inside["score"]]
    return inside.assign(stricter=share)[list(COLUMNS)].reset_index(drop=True)
