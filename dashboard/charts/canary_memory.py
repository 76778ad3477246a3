"""Whether a defense removes the memory of a secret, or only hinders the attack that looks for it along the gradient.

That the paper's attack ends where guessing would does not say that the secret is gone: the network's loss may still put
the truth above all other secrets, which shows when all of them are scored.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from core.experiment import Experiment
from core.result import Result
from dashboard.charts import canaries
from dashboard.charts.canary_defenses import PLAIN, called, cases, ordered, repetitions
from dashboard.charts.tables import records
from dashboard.charts.wording import joined, percent

TITLE = "Is the memory gone, or only the gradient attack hindered?"
_METHODS = {"schedule": "paper", "strongest": "annealed_descent"}


def points(results: Sequence[Result]) -> pd.DataFrame:
    """Return a row for each defense and number of repetitions, over all patterns.

    Returns:
        Columns row (the defense), repetitions, schedule and strongest (share of wrong words by the paper's schedule
        and by annealing and descent), rank (median, of the truth), exposure (bits), and whether an interval reaches
        what guessing gives: stopped (the paper's schedule), withstood (annealing and descent), gone (the exposure).
    """
    times = repetitions(results)
    rows = [
        {"row": called(Experiment.parse(result.experiment)), "repetitions": often, **_told(result, often)}
        for result in results
        for often in result.experiment["game"]["repetitions"]
        if often in times
    ]
    columns = ["row", "repetitions", "schedule", "stopped", "strongest", "withstood", "rank", "exposure", "gone"]
    frame = pd.DataFrame(rows, columns=columns)
    return ordered(frame.astype({"stopped": bool, "withstood": bool, "gone": bool}))


def listed(shown: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each defense, for a person: what each way of reading gives at each number of repetitions.

    Args:
        shown: As `points` returned it.
    """
    rows = []
    for name in dict.fromkeys(shown["row"]):
        own = records(shown[shown["row"] == name])
        rows.append(
            {
                "defense": name,
                "times shown": _each(f"{row.repetitions:,}" for row in own),
                "paper’s attack": _each(dict.fromkeys("at chance" if row.stopped else "works" for row in own)),
                "truth, by the loss": _each(dict.fromkeys(_standing(row) for row in own)),
                "HDT, paper’s schedule": _each(percent(row.schedule) for row in own),
                "HDT, annealed + descent": _each(percent(row.strongest) for row in own),
                "median rank": _each(f"{row.rank:,.0f}" for row in own),
                "exposure, bits": _each(f"{row.exposure:.1f}" for row in own),
            }
        )
    return pd.DataFrame(rows)


def conclusion(shown: pd.DataFrame) -> str:
    """Say behind which defenses the paper's attack is at chance, what the network still tells there, and what follows.

    Args:
        shown: As `points` returned it.
    """
    defended = shown[shown["row"] != PLAIN]
    if defended.empty:
        return "No defense is computed here yet, so nothing can be said of what they do."
    text, plain = "", records(shown[shown["row"] == PLAIN])
    if plain:
        wrong, times = (
            joined([percent(row.schedule) for row in plain]),
            joined([f"{row.repetitions:,}" for row in plain]),
        )
        text = f"Without a defense the paper’s schedule reads {wrong} of the words wrongly, shown {times} times. "
    if plain and all(row.stopped for row in plain):
        return f"{text}That is chance already, so there is no attack of the paper’s that a defense could stop."
    stopped = defended[defended["stopped"]]
    if stopped.empty:
        text += "Behind every defense it still beats guessing: none of them stops even the gradient attack."
        first = defended[~defended["gone"] & (defended["rank"] <= 1)]
        ranks = f" By the loss the truth ranks first, by the median, behind {cases(first, defended)}."
        return text + (ranks if len(first) else "")
    kept = stopped[~stopped["gone"]]
    others = set(defended["row"]) - set(stopped["row"])
    end = " Behind all others it still beats guessing." if others else ""
    text += f"It is left at chance behind {cases(stopped, defended)}"
    if kept.empty:
        return f"{text}. There the truth does not stand out by the network’s loss either: no memory is shown.{end}"
    first = kept[kept["rank"] <= 1]
    text += f". But by the network’s loss the truth stands out all the same behind {cases(kept, defended)}"
    text += f", and ranks first, by the median, behind {cases(first, defended)}" if len(first) else ""
    if len(kept) == len(stopped):
        return f"{text}: these defenses stop the gradient attack and do not remove the memory.{end}"
    text += ": there the memory stays, and only the gradient attack is stopped. Elsewhere no memory is shown."
    return text + end


def _told(result: Result, often: int) -> dict[str, Any]:
    """Return what is known of one number of repetitions, over all patterns."""
    told: dict[str, Any] = {}
    whole = [canaries.over_all(result.tables[name]) for name in ("cells", "exposures")]
    cells, exposures = (table[table["repetitions"] == often] for table in whole)
    for name, method in _METHODS.items():
        row = records(cells[cells["method"] == method])[0]
        told[name] = row.hamming
        told["stopped" if name == "schedule" else "withstood"] = row.hamming_high >= row.hamming_chance
    row = records(exposures)[0]
    return {**told, "rank": row.rank, "exposure": row.exposure, "gone": row.low <= row.chance}


def _each(said: Iterable[str]) -> str:
    return " · ".join(said)


def _standing(row: Any) -> str:
    """Return how the truth stands among all secrets."""
    if row.gone:
        return "not told apart"
    return "ranks first" if row.rank <= 1 else "stands out"
