"""How much of the shadow models' training data is other targets."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.games.membership.contract import MembershipAttack
from core.statistics.wording import percent
from dashboard.kit.shared import once

_DRAWS = 4000
_SELDOM = 0.01


@once
def sentence(experiment: Mapping[str, Any], targets: pd.DataFrame) -> str:
    """Say how much of a shadow model's training set other targets fill; empty where each target has its own models.

    A coin decides for each target whether it is in a model of the pool. If the targets in it have more documents than a
    training set, the model is trained on all of them, and on nothing else.

    Args:
        experiment: As plain values.
        targets: Table of the game.
    """
    attack = experiment["attack"]
    if "shadow_pairs" not in attack or attack.get("scheme", "pool") != "pool" or len(targets) < 2:
        return ""
    sizes, total = targets["size"].to_numpy(), int(experiment["game"]["documents"])
    members = np.random.default_rng(0).integers(2, size=(_DRAWS, len(sizes)))
    filled = members @ sizes
    shares = (filled[:, None] - members * sizes) / np.maximum(filled, total)[:, None]
    text = (
        "One pool of shadow models serves all targets, so that each model holds other targets too: half of them, about "
        f"{percent(float(shares.mean()))} of its training documents."
    )
    if not MembershipAttack.by_name(attack["part"]).one_pool:
        text += " The paper trains models for each target alone."
    if (larger := float((filled > total).mean())) >= _SELDOM:
        text += (
            f" About {percent(larger)} of the shadow models hold more documents of targets than the {total:,} of a "
            "target model’s training set, and are larger."
        )
    return text
