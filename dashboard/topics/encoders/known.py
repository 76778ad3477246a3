"""The encoders on record: origin, licence, and whether they are on this machine."""

import pandas as pd
import streamlit as st

from core.encoders.folders import locate
from core.encoders.records import RECORDS, EncoderRecord
from core.statistics.wording.naming import counted
from dashboard.kit import panels
from dashboard.kit.inputs import allowed


def show() -> None:
    """List them, those on this machine first."""
    rows = [_row(record) for record in RECORDS.values()]
    rows.sort(key=lambda row: row["here"] != _HERE)
    here = sum(row["here"] == _HERE for row in rows)
    st.header("Known encoders", anchor=False)
    panels.table(
        pd.DataFrame(rows),
        "encoders",
        f"Of {counted(len(rows), 'encoder')}, {here} {'is' if here == 1 else 'are'} on this machine. The owner of this "
        f"server can offer folders of further ones in {allowed.VARIABLE}; the command line takes any folder and any id "
        "on the hub, in safetensors.",
        called="Known encoders",
        column_config={
            "encoder": st.column_config.TextColumn(pinned=True),
            "name": st.column_config.TextColumn(help="Name in forms, links and on the command line."),
            "numbers": st.column_config.NumberColumn("Dimension", help="Dimension of an embedding."),
            "length one": st.column_config.CheckboxColumn(help="Whether its makers scale embeddings to length one."),
            "here": st.column_config.TextColumn("On this machine"),
            "tokens": st.column_config.TextColumn(width="large"),
            "made by": st.column_config.TextColumn(help="Command that trains it from data that come with Telltale."),
        },
    )


_HERE = "yes"


def _row(record: EncoderRecord) -> dict[str, object]:
    return {
        "encoder": record.title,
        "name": record.name,
        "here": _here(record),
        "numbers": record.dimension,
        "layers": record.layers,
        "tokens": record.tokenisation,
        "length one": record.normalise,
        "made by": record.command,
        "licence": record.licence,
        "year": record.year,
        "from": record.hub or record.citation,
        "pinned": record.pinned,
        "note": record.note,
        "cite": record.citation,
    }


def _here(record: EncoderRecord) -> str:
    """Return whether an encoder is on this machine, or why not."""
    if record.unavailable:
        return f"cannot be loaded: {record.unavailable}"
    if locate(record.name) is not None:
        return _HERE
    if record.command:
        return "not made yet"
    return "no, a run fetches it"
