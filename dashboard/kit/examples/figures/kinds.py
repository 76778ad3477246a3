"""The examples of a membership game: wording declared by the attack, order of groups, labels of estimates."""

from collections.abc import Mapping

import pandas as pd

from core.games.example_membership import named_groups
from core.games.example_membership.contract import ExampleAttack
from core.registry import part
from core.result import Result
from core.statistics.wording.naming import capitalised, estimate_name
from core.statistics.wording.variants import BLIND
from dashboard.kit.examples.figures import rules
from dashboard.kit.shared import once


@once
def declared(result: Result) -> type[ExampleAttack]:
    """Return the attack of a result."""
    attack = part("attack", str(result.experiment["attack"]["part"]))
    if not issubclass(attack, ExampleAttack):
        raise TypeError(f"The attack must be a subclass of ExampleAttack. Got {attack.part_name()} instead.")
    return attack


@once
def headline(attack: type[ExampleAttack], table: pd.DataFrame) -> Mapping[str, str]:
    """Return the headline estimates with their labels, given the table of groups."""
    about = named_groups.answered(attack, table)
    others = [f"auc_{name}" for name in (rules.PAPER, *table["statistic"], BLIND)]
    first = named_groups.ordered(table)[:1] if about else []
    return {
        "auc": f"AUC, {about}" if about else "AUC",
        "accuracy": "Accuracy",
        "tpr_at_1pct_fpr": "TPR at 1% FPR",
        **{f"auc_{group.replace(' ', '_')}": f"AUC, {group}" for group in first if group != about},
        **{name: capitalised(estimate_name(name, rules.GAME)) for name in others},
        "neighbours_train": "Training pairs found",
        "neighbours_test": "Held-out pairs found",
    }
