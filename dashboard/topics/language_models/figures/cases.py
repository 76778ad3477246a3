"""The cases of recitation: a passage in a model. The same passage may be asked of several models."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.statistics.wording.naming import counted
from dashboard.kit.shared import once


@once
def of(rows: pd.DataFrame, passages: pd.DataFrame) -> pd.DataFrame:
    """Return rows by copies with their number of cases, of the different passages among these, and of models.

    Args:
        rows: A table of the game, whose column ``passages`` counts each once for each model.
        passages: The game's table of passages.
    """
    different = passages[~passages["common"]].groupby("copies")["passage"].nunique()
    return rows.rename(columns={"passages": "cases"}).assign(
        passages=rows["copies"].map(different).fillna(0).astype(int), models=passages["model"].nunique()
    )


def alike(row: Any) -> str:
    """Return the number of cases of a row of `of`: of one model, they are passages.

    >>> from types import SimpleNamespace as Row
    >>> alike(Row(cases=20, passages=18, models=2)), alike(Row(cases=20, passages=20, models=1))
    ('20 cases', '20 passages')
    """
    return counted(row.cases, "passage" if row.models == 1 else "case")


def written(row: Any) -> str:
    """Return the number of cases of a row of `of`, and of how many passages and models they are.

    >>> from types import SimpleNamespace as Row
    >>> written(Row(cases=20, passages=18, models=2)), written(Row(cases=20, passages=20, models=1))
    ('20 cases of 18 passages in 2 models', '20 passages')
    """
    return alike(row) if row.models == 1 else f"{alike(row)} of {_in_models([row])}"


def of_each(rows: Sequence[Any]) -> str:
    """Return how many cases each share is of.

    >>> from types import SimpleNamespace as Row
    >>> of_each([Row(cases=29, passages=28, models=2), Row(cases=396, passages=257, models=2)])
    '29 to 396 cases each (a passage in a model; 28 to 257 passages in 2 models)'
    >>> of_each([Row(cases=20, passages=20, models=1), Row(cases=20, passages=20, models=1)])
    '20 passages each'
    """
    one = rows[0].models == 1
    text = f"{_ranged([row.cases for row in rows], 'passage' if one else 'case')} each"
    return text if one else f"{text} (a passage in a model; {_in_models(rows)})"


def _in_models(rows: Sequence[Any]) -> str:
    return f"{_ranged([row.passages for row in rows], 'passage')} in {rows[0].models} models"


def _ranged(numbers: Sequence[int], noun: str) -> str:
    least = f"{min(numbers):,} to " if min(numbers) < max(numbers) else ""
    return f"{least}{counted(max(numbers), noun)}"
