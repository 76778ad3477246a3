"""A target's telltale word pairs, and which models complete them: those trained on the target, or any."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import dumbbells, foreign
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined

SHOWN = 12
_WIDTH = 20
_SHARES = ["completed_in", "completed_out"]
_ONE_SIDED = {
    True: "Every model was trained on this target, so there is nothing to compare with.",
    False: "No model was trained on this target, so there is nothing to compare with.",
}


def of(pairs: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the pairs of one target, those first that models with and without it differ on most.

    Where all models have the target or none has, those that most models complete come first.
    """
    own = pairs[pairs["target"] == target]
    apart = (own["completed_in"] - own["completed_out"]).abs()
    order = own.assign(apart=apart.fillna(0), most=own[_SHARES].max(axis=1))
    order = order.sort_values(["apart", "most", "rank"], ascending=[False, False, True], kind="stable")
    return order.drop(columns=["apart", "most"]).reset_index(drop=True)


def name(first: str, second: str) -> str:
    """Return what a pair is called where there is little room.

    >>> name("the", "pneumonoultramicroscopicsilicovolcanoconiosis")
    'the · pneumonoultramicros…'
    """
    return f"{foreign.cut(first, _WIDTH)} · {foreign.cut(second, _WIDTH)}"


def figure(pairs: pd.DataFrame, target: int, chosen: int | None = None) -> go.Figure:
    """Draw the pairs that tell most; a point's ``customdata`` is its pair's rank, for a click on it.

    Args:
        pairs: As the attack declares it.
        target: Number of the target.
        chosen: Rank of the pair that is looked at, or None.
    """
    shown = of(pairs, target).head(SHOWN)
    rows = shown.rename(columns={"completed_in": "inside", "completed_out": "outside"})
    labels = [name(row.first, row.second) for row in records(rows)]
    return dumbbells.figure(
        rows.assign(label=labels)[list(dumbbells.COLUMNS)],
        "Models that complete the pair",
        "",
        chosen=chosen,
        empty="No pair was chosen: none told with from without.",
    )


def models(verdicts: pd.DataFrame, target: int) -> tuple[int, int]:
    """Return how many target models were trained on a target, and how many were not."""
    members = verdicts.loc[verdicts["target"] == target, "member"]
    return int(members.sum()), int((~members).sum())


def sentence(pairs: pd.DataFrame, verdicts: pd.DataFrame, target: int) -> str:
    """Read the pairs of one target aloud: the most telling one, and what the others are worth.

    Args:
        pairs: As the attack declares it.
        verdicts: As the attack declares it.
        target: Number of the target.
    """
    own = of(pairs, target)
    if own.empty:
        return "No pair was chosen for this target, so nothing is asked and it is never called a member."
    inside, outside = models(verdicts, target)
    first = records(own)[0]
    of_in = f"{round(first.completed_in * inside)} of the {counted(inside, 'model')} with the target" if inside else ""
    of_out = f"{round(first.completed_out * outside)} of the {counted(outside, 'model')} without it" if outside else ""
    best = own[_SHARES].max(axis=1)
    if not (best > 0).any():
        return f"No model completes any of its {counted(len(own), 'pair')}: each calls this target a non-member."
    pair = f"“{first.first}” and “{first.second}”"
    text = f"{pair} are completed at least once by {' and by '.join(filter(None, (of_in, of_out)))}."
    if not inside or not outside:
        return f"{text} {_ONE_SIDED[inside > 0]}"
    never = int((best == 0).sum())
    alarms = int((own["completed_out"] > 0).sum())
    pairs_of_it = counted(len(own), "pair")
    text += (
        f" Of its {pairs_of_it}, {_are(never)} never completed by any model"
        if never
        else f" Of its {pairs_of_it} each is completed by some model"
    )
    if alarms:
        return f"{text}, and {_are(alarms)} completed without the target too: any of them is enough for a false alarm."
    return f"{text}, and none is completed without the target: no false alarm."


def contexts(table: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return the contexts of one pair that are kept, those that tell most first."""
    return table[(table["target"] == target) & (table["rank"] == rank)].reset_index(drop=True)


def contexts_sentence(shown: pd.DataFrame, pair: Any) -> str:
    """Say how many contexts these are, and in how many of them the target makes a difference.

    Args:
        shown: What `contexts` returns.
        pair: The row of the pair.
    """
    if shown.empty:
        return "This pair stands nowhere in the target’s documents as the model reads them: nothing is asked."
    known = shown[_SHARES].notna().all()
    if not known.all():
        return _ONE_SIDED[bool(known["completed_in"])]
    more = int((shown["completed_in"] > shown["completed_out"]).sum())
    less = int((shown["completed_in"] < shown["completed_out"]).sum())
    number = int(pair.contexts)
    which = {1: "The only place", 2: "Both places"}.get(number, f"All {number} places")
    if number > len(shown):
        which = f"The {len(shown)} of {number:,} places that tell most"
    text = f"{which} where the pair stands in the target’s documents."
    if not more and not less:
        return f"{text} Having learnt from the target makes no difference here."
    said = [f"{how} at {places} of them" for how, places in (("oftener", more), ("less often", less)) if places]
    return f"{text} Models with the target suggest the word {joined(said)}."


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"
