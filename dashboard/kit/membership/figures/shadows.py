"""What the shadow models of an attack hold beside the target that is asked about."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dashboard.kit.figures.wording import percent
from dashboard.kit.shared import once


@once
def sentence(experiment: Mapping[str, Any], targets: pd.DataFrame) -> str:
    """Say how much of a shadow model's training set other targets fill; empty where each target has its own models.

    A coin decides for each target whether a model of the pool holds it: half of the documents of all others.

    Args:
        experiment: As plain values.
        targets: Table of the game.
    """
    if experiment["attack"].get("scheme", "pool") != "pool" or len(targets) < 2:
        return ""
    sizes, total = targets["size"], experiment["game"]["documents"]
    share = min(float((sizes.sum() - sizes).mean()) / 2 / total, 1.0)
    return (
        "One pool of shadow models serves all targets, so that each model holds other targets too: half of them, about "
        f"{percent(share)} of its training documents. The paper trains models for each target alone."
    )
