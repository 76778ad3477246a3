"""The adversary's success in words: what chance is, and whether a setting exceeds it."""

import math
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from core.statistics.wording import area, percent, rounded
from dashboard.kit.figures import both_adversaries
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.shared import once


@dataclass(frozen=True)
class Leak:
    """Wording of the adversary's success.

    Attributes:
        axis: Title of its axis.
        both: Title of an axis that it shares with the utility.
        has: Verb phrase before a figure: “is right in” 68%.
        left: Complement before a figure: leaves the adversary “right in” 68%.
        chance: Name of the level of chance.
        least: What the level of chance is.
        means: Sentence that explains the level of chance; empty where its name does.
    """

    axis: str
    both: str
    has: str
    left: str
    chance: str
    least: str
    means: str = ""


LEAKS = {
    "accuracy": Leak(
        "Accuracy of the adversary",
        "Accuracy",
        "is right in",
        "right in",
        "chance",
        "predicting the majority class",
    ),
    "f1": Leak(
        "F1 of the adversary",
        "F1 of the adversary, accuracy",
        "reaches an F1 of",
        "with an F1 of",
        "chance",
        "predicting the same frequent words for every text",
    ),
}
"""By the estimate of the adversary's success."""
DEALT = "lead"
"""Estimate of how much better answers fit their own victims than others; the fit to others is chance."""
LEAKS[DEALT] = replace(
    LEAKS["accuracy"],
    least="the same answers dealt to other victims",
    means=" Chance is what the same answers get when they are dealt to other victims, tested in pairs.",
)


def above(row: Any, adversary: str) -> bool:
    """Tell whether an adversary is shown to exceed chance in a setting."""
    low, _, chance = _compared_ends(row, adversary)
    return bool(low > chance)


def below(row: Any, adversary: str) -> bool:
    """Tell whether an adversary is shown to fall short of chance in a setting."""
    _, high, chance = _compared_ends(row, adversary)
    return bool(high < chance)


def _compared_ends(row: Any, adversary: str) -> tuple[float, float, float]:
    """Return both ends of the interval that tells whether an adversary exceeds chance, and the level it must exceed."""
    if math.isfinite(getattr(row, f"{adversary}_lead")):
        return getattr(row, f"{adversary}_lead_low"), getattr(row, f"{adversary}_lead_high"), 0.0
    return tuple(getattr(row, f"{adversary}_{end}") for end in ("low", "high", "chance"))


def fit(row: Any, adversary: str) -> str:
    """Say how much better answers fit their own victims than others; empty where that is not shown."""
    lead, low, high = (getattr(row, f"{adversary}_lead{end}") for end in ("", "_low", "_high"))
    if not (math.isfinite(lead) and low > 0):
        return ""
    ends = f"{rounded(low, 1)}–{rounded(high, 1)}"
    return f" Answers fit their own victims better than others, by {rounded(lead, 1)} points (95% interval {ends})."


def area_above(row: Any, adversary: str) -> str:
    """Return the AUC of an adversary where that is shown to exceed chance and its success is not; else empty."""
    auc, chance = interval_of(row, f"{adversary}_auc"), getattr(row, f"{adversary}_auc_chance")
    return area(*auc) if auc.low > chance and not above(row, adversary) else ""


def constant(row: Any, adversary: str) -> str:
    """Say what an adversary does whose decisions are all alike; empty where they differ or are not known."""
    return both_adversaries.CONSTANT.get(getattr(row, f"{adversary}_called"), "")


def by_attack(row: Any) -> str:
    """Return the attack whose adversaries are meant, after a verb; empty where no other plays the same game."""
    return f" by {row.attack}" if row.attack else ""


def hidden(row: Any, adversary: str) -> str:
    """Say what the success of an adversary hides: that its decisions are all alike, or that its ranking still tells."""
    text = f" It {alike}: one constant answer." if (alike := constant(row, adversary)) else ""
    if ranks := area_above(row, adversary):
        text += f" Its AUC, {ranks}, exceeds chance all the same."
    return text


def own_chance(row: Any) -> str:
    """Return the chance of the naive adversary; empty where it reads like that of the adaptive one."""
    chance = percent(row.naive_chance)
    return chance if math.isfinite(row.naive_chance) and chance != percent(row.adaptive_chance) else ""


@once
def ranked_by(table: pd.DataFrame) -> "tuple[pd.Series[float], pd.Series[float]]":
    """Return the measure that ranks the adaptive and the naive adversary in each setting: leads, where both have one.

    Successes alone do not rank them there: answers dealt to other victims give each adversary a chance of its own.
    """
    paired = table["adaptive_lead"].notna() & table["naive_lead"].notna()
    adaptive, naive = (table[f"{name}_lead"].where(paired, table[name]) for name in ("adaptive", "naive"))
    return adaptive, naive


def compared(row: Any, chance: str) -> str:
    """Say what follows where one adversary is more successful than the other, beyond both intervals or chance."""
    paired = math.isfinite(row.adaptive_lead) and math.isfinite(row.naive_lead)
    measure = "_lead" if paired else ""
    low, high = (getattr(row, f"naive{measure}_{end}") for end in ("low", "high"))
    level = "its own chance" if own_chance(row) else chance
    if high < getattr(row, f"adaptive{measure}_low"):
        if below(row, "naive") and row.naive_found > row.adaptive_found:
            shares = percent(row.naive_found), percent(row.naive_right)
            return (
                f" That is less than {level}: it finds {shares[0]} of the words, but of those that it names "
                f"{shares[1]} are right. Its threshold, set on plain embeddings, no longer fits."
            )
        if not above(row, "adaptive"):
            return ""
        if below(row, "naive"):
            return f" That is less than {level}: what it learnt without the defense misleads it here."
        return " So part of the protection depends on the defense being unknown."
    text = ""
    if low > getattr(row, f"adaptive{measure}_high"):
        text = (
            " It exceeds its chance by more than the adaptive one, which is therefore not the strongest."
            if paired
            else " It exceeds the adaptive one, which is therefore not the strongest."
        )
    if not above(row, "adaptive") and above(row, "naive"):
        text += f" It exceeds {level}: what is released still leaks."
    return text
