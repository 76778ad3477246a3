"""A target's telltale pairs, and the share of models with and without the target that complete them."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording.naming import counted
from dashboard.kit.figures import dumbbells, foreign
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import is_or_are, joined
from dashboard.kit.shared import once

MOST_PAIRS = 12
_WIDTH = 20
_SHARES = ["completed_in", "completed_out"]
_ONE_SIDED = {
    True: "Every model was trained on this target, so there is no comparison.",
    False: "No model was trained on this target, so there is no comparison.",
}


@once
def of(pairs: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the pairs of one target, the largest difference between models with and without it first.

    Where all models have the target or none has, the pairs that most models complete come first.
    """
    target_pairs = pairs[pairs["target"] == target]
    apart = (target_pairs["completed_in"] - target_pairs["completed_out"]).abs()
    order = target_pairs.assign(apart=apart.fillna(0), most=target_pairs[_SHARES].max(axis=1))
    order = order.sort_values(["apart", "most", "rank"], ascending=[False, False, True], kind="stable")
    return order.drop(columns=["apart", "most"]).reset_index(drop=True)


def name(first: str, second: str) -> str:
    """Return a short name of a pair.

    >>> name("the", "pneumonoultramicroscopicsilicovolcanoconiosis")
    'the · pneumonoultramicros…'
    """
    return f"{foreign.cut(first, _WIDTH)} · {foreign.cut(second, _WIDTH)}"


@once
def figure(pairs: pd.DataFrame, target: int, chosen: int | None = None) -> go.Figure:
    """Draw the most informative pairs of a target; a point's ``customdata`` is the rank of its pair, for a click."""
    rows = of(pairs, target).head(MOST_PAIRS).rename(columns={"completed_in": "inside", "completed_out": "outside"})
    labels = [name(row.first, row.second) for row in records(rows)]
    return dumbbells.figure(
        rows.assign(label=labels)[list(dumbbells.COLUMNS)],
        "Models that complete the pair",
        "",
        chosen=chosen,
        empty="No pair was selected: none distinguishes models with the target.",
    )


@once
def models(verdicts: pd.DataFrame, target: int) -> tuple[int, int]:
    """Return the numbers of target models with and without a target."""
    members = verdicts.loc[verdicts["target"] == target, "member"]
    return int(members.sum()), int((~members).sum())


@once
def sentence(pairs: pd.DataFrame, verdicts: pd.DataFrame, target: int) -> str:
    """Read the pairs of one target aloud: the most informative one, then completions and false alarms of all."""
    target_pairs = of(pairs, target)
    if target_pairs.empty:
        return "No pair was selected for this target, so there is no query and it is always predicted a non-member."
    inside, outside = models(verdicts, target)
    first = records(target_pairs)[0]
    of_in = f"{_of(first.completed_in, inside)} with the target" if inside else ""
    of_out = f"{_of(first.completed_out, outside)} without it" if outside else ""
    best = target_pairs[_SHARES].max(axis=1)
    if not (best > 0).any():
        number = counted(len(target_pairs), "pair")
        return f"No model completes any of its {number}: the target is always predicted a non-member."
    pair = f"“{first.first}” and “{first.second}”"
    text = f"{pair} are completed at least once by {' and by '.join(filter(None, (of_in, of_out)))}."
    if not inside or not outside:
        return f"{text} {_ONE_SIDED[inside > 0]}"
    never = int((best == 0).sum())
    alarms = int((target_pairs["completed_out"] > 0).sum())
    count = len(target_pairs)
    each = f"Each of the target’s {count} pairs" if count > 1 else "The target’s only pair"
    text += (
        f" Of the target’s {counted(count, 'pair')}, {never} {is_or_are(never)} never completed by any model"
        if never
        else f" {each} is completed by some model"
    )
    if alarms:
        verb = is_or_are(alarms)
        return f"{text}, and {alarms} {verb} completed without the target too: each such pair causes a false alarm."
    return f"{text}, and none is completed without the target: no false alarm."


@once
def contexts(table: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return the stored contexts of one pair, the most informative first."""
    return table[(table["target"] == target) & (table["rank"] == rank)].reset_index(drop=True)


@once
def contexts_sentence(table: pd.DataFrame, pair: Any) -> str:
    """Say how many contexts of a pair a table of `contexts` holds, and where the target makes a difference."""
    if table.empty:
        return "This pair is not in the target’s documents after tokenisation, so there is no query."
    compared = table[_SHARES].notna().all()
    if not compared.all():
        return _ONE_SIDED[bool(compared["completed_in"])]
    more = int((table["completed_in"] > table["completed_out"]).sum())
    less = int((table["completed_in"] < table["completed_out"]).sum())
    number = int(pair.contexts)
    which = {1: "The only context", 2: "Both contexts"}.get(number, f"All {number} contexts")
    if number > len(table):
        which = f"The {len(table)} most informative of {number:,} contexts"
    text = f"{which} of the pair in the target’s documents."
    if not more and not less:
        return f"{text} Training on the target makes no difference here."
    differences = [f"{how} in {count} of them" for how, count in (("more often", more), ("less often", less)) if count]
    return f"{text} Models with the target predict the word {joined(differences)}."


def _of(share: float, models: int) -> str:
    """Return how many of some models a share is.

    >>> _of(0.25, 4), _of(1.0, 1), _of(0.0, 1)
    ('1 of the 4 models', 'the only model', '0 of the 1 model')
    """
    return (
        "the only model" if models == 1 and share == 1 else f"{round(share * models)} of the {counted(models, 'model')}"
    )
