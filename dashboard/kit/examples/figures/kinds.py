"""What a membership game about examples is about, by what its attack declares and in which order its groups come."""

from collections.abc import Mapping

import pandas as pd

from core.games.example_membership.contract import ExampleAttack, Wording
from core.registry import part
from core.result import Result
from dashboard.kit.examples.figures import rules


def declared(result: Result) -> type[ExampleAttack]:
    """Return the attack of a result."""
    attack = part("attack", str(result.experiment["attack"]["part"]))
    if not issubclass(attack, ExampleAttack):
        raise TypeError(f"The attack {attack.part_name()} must be one about single examples, which it is not.")
    return attack


def groups(table: pd.DataFrame) -> list[str]:
    """Return the names of the groups of a table in their order."""
    return list(dict.fromkeys(table.sort_values("place", kind="stable")["group"]))


def answer(attack: type[ExampleAttack], table: pd.DataFrame) -> str:
    """Return which of a table's groups the answer is about; an empty name where it is about all of them."""
    asked = groups(table[table["usable"] > 0])
    return asked[-1] if asked and attack.answers == "last" else ""


def those(group: str, about: Wording) -> str:
    """Return the examples of a group.

    >>> those("9", Wording(one="window", which="whose middle word occurs {} times"))
    'windows whose middle word occurs 9 times'
    """
    return f"{about.many} {about.which.format(group)}"


def tick(group: str, about: Wording) -> str:
    """Return what stands at the axis for a group.

    >>> tick("5–9", Wording(place="word")), tick("20 sentences", Wording(place="sentence"))
    ('5–9', '20')
    """
    return group.removesuffix(f" {about.place}s")


def headline(attack: type[ExampleAttack], table: pd.DataFrame) -> Mapping[str, str]:
    """Return the figures that answer the question, with their labels, given the table of groups."""
    about = answer(attack, table)
    first = groups(table)[:1] if about else []
    return {
        "auc": f"AUC, {about}" if about else "AUC",
        "accuracy": "Right guesses",
        "tpr_at_1pct_fpr": "Found at 1 % accused",
        **{f"auc_{group.replace(' ', '_')}": f"AUC, {group}" for group in first if group != about},
        f"auc_{rules.PAPER}": "AUC with one threshold",
        **{f"auc_{name}": f"AUC by {rules.called(name, inside=True)}" for name in [*table["statistic"], "model_free"]},
        "neighbours_train": "Next found, own pairs",
        "neighbours_test": "Next found, new pairs",
    }
