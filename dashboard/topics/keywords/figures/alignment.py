"""What the DANN aligns with: all victims (few have the keyword), or the queried ones (half have it)."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import measured_in, percent
from dashboard.kit.figures import adversaries, paired, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

TITLE = "What the DANN aligns with"
PAPER = (
    "The paper prepares a balanced test set for each keyword; its Algorithm 1 aligns with the test set. It does not "
    "say whether that is the balanced one, nor does an adversary know by itself who is in it."
)
_NAMES = {"all": "all victims", "asked": "those asked about the keyword"}

Aligned = Mapping[str, Result]
"""The result of the DANN by its ``alignment``: ``all`` and ``asked``."""


@once
def bars(results: Aligned) -> pd.DataFrame:
    """Return a bar for each keyword and alignment, and for the mean of all keywords."""
    rows = {
        alignment: records(adversaries.attack_rows(result.tables["inferred"], result.experiment))
        for alignment, result in results.items()
    }
    names = [row.secret for row in rows["all"]]
    return shares.table(
        [
            shares.bar(adversaries.secret_name(row.secret), _NAMES[alignment], row)
            for name in sorted(names, key=lambda name: name == adversaries.MEAN)
            for alignment in _NAMES
            for row in rows[alignment]
            if row.secret == name
        ]
    )


@once
def figure(results: Aligned) -> go.Figure:
    """Draw two bars for each keyword."""
    return shares.figure(bars(results), dict(zip(_NAMES.values(), theme.distinct(2), strict=True)))


@once
def sentence(results: Aligned) -> str:
    """Read both means aloud, their difference in pairs, and how often each finds the keyword."""
    clauses = []
    for alignment, name in _NAMES.items():
        result = results[alignment]
        mean = adversaries.mean(result.tables["inferred"], result.experiment)
        named = float((result.tables["guesses"]["guess"] == "present").mean())
        clauses.append(
            f"with {name}, it is right about {measured_in(mean, 'accuracy')} and finds it in {percent(named)}"
        )
    difference = paired.difference(results["all"], results["asked"])
    conclusion = ""
    if difference is not None:
        more = "more" if difference.low > 0 else "less" if difference.high < 0 else ""
        shown = f"The second is right {more} often" if more else "No difference is shown"
        conclusion = f" {shown} (95% interval of the difference, in pairs: {paired.ends(difference)})."
    return f"Half of the victims asked about a keyword have it. Aligned {'; '.join(clauses)}.{conclusion}"
