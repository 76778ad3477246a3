"""The words that are named for one vector, in a sentence."""

import pandas as pd

from core.statistics.wording.naming import counted
from dashboard.kit.figures.wording import is_or_are
from dashboard.kit.shared import once


@once
def sentence(inferred: pd.DataFrame) -> str:
    """Say how many words of a text are read from its vector, and which are named that it does not have.

    Args:
        inferred: The rows of the game's table of words that the adversary names for it.
    """
    right = int(inferred["present"].sum())
    wrong = ", ".join(inferred[~inferred["present"]]["word"]) or "none"
    return f"Marked: the {counted(right, 'word')} that {is_or_are(right)} read. Named in error: {wrong}."
