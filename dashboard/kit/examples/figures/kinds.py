"""The examples of a membership game: wording declared by the attack, order of groups, labels of estimates."""

from collections.abc import Mapping

import pandas as pd

from core.games.example_membership.contract import ExampleAttack, Wording
from core.registry import part
from core.result import Result
from dashboard.kit.examples.figures import rules
from dashboard.kit.figures.wording import lowered
from dashboard.kit.shared import once


@once
def declared(result: Result) -> type[ExampleAttack]:
    """Return the attack of a result."""
    attack = part("attack", str(result.experiment["attack"]["part"]))
    if not issubclass(attack, ExampleAttack):
        raise TypeError(f"The attack must be a subclass of ExampleAttack. Got {attack.part_name()} instead.")
    return attack


@once
def groups(table: pd.DataFrame) -> list[str]:
    """Return the names of the groups of a table in their order."""
    return list(dict.fromkeys(table.sort_values("place", kind="stable")["group"]))


@once
def answer(attack: type[ExampleAttack], table: pd.DataFrame) -> str:
    """Return the group that the answer is about; an empty name where it is about all groups."""
    usable = groups(table[table["usable"] > 0])
    return usable[-1] if usable and attack.answers == "last" else ""


def phrase(group: str, about: Wording) -> str:
    """Return a phrase for the examples of a group.

    >>> phrase("9", Wording(one="window", which="whose middle word occurs {} times"))
    'windows whose middle word occurs 9 times'
    """
    return f"{about.many} {about.which.format(group)}"


def tick(group: str, about: Wording) -> str:
    """Return the tick of a group.

    >>> tick("5–9", Wording(unit="word")), tick("20 sentences", Wording(unit="sentence"))
    ('5–9', '20')
    """
    return group.removesuffix(f" {about.unit}s")


@once
def headline(attack: type[ExampleAttack], table: pd.DataFrame) -> Mapping[str, str]:
    """Return the headline estimates with their labels, given the table of groups."""
    about, statistics = answer(attack, table), [*table["statistic"], "model_free"]
    first = groups(table)[:1] if about else []
    return {
        "auc": f"AUC, {about}" if about else "AUC",
        "accuracy": "Accuracy",
        "tpr_at_1pct_fpr": "TPR at 1% FPR",
        **{f"auc_{group.replace(' ', '_')}": f"AUC, {group}" for group in first if group != about},
        f"auc_{rules.PAPER}": "AUC with one threshold",
        **{f"auc_{name}": f"AUC by {lowered(rules.statistic_name(name))}" for name in statistics},
        "neighbours_train": "Training pairs found",
        "neighbours_test": "Held-out pairs found",
    }
