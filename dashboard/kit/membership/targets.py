"""Choice of a target by the number of its documents and its name, kept in the address."""

import pandas as pd
import streamlit as st

from core.statistics.wording.naming import documents
from dashboard.kit import choices
from dashboard.kit.figures.tables import records


def choose(targets: pd.DataFrame) -> int:
    """Return the number of the chosen target: one choice for all sections of a page."""
    sizes = sorted({int(size) for size in targets["size"]}, reverse=True)
    names = {row.target: f"{row.label}, {documents(row.size)}" for row in records(targets)}
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-target"):
        if len(sizes) > 1:
            size = choices.few("Documents of the target", sizes, "view.size", called=documents)
        else:
            size = sizes[0]
        numbers = [int(number) for number in targets.loc[targets["size"] == size, "target"]]
        return int(choices.many("Target", numbers, "view.target", called=names.__getitem__, width=340))


def size(targets: pd.DataFrame, target: int) -> int:
    """Return the number of documents of a target."""
    return int(targets.loc[targets["target"] == target, "size"].iloc[0])
