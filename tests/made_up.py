"""Tables of made-up results: what a test leaves out is filled in from the schema."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.result import Column, Schema, table


def filled(schema: Schema, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Build a table; columns that a row leaves out hold zero, False, an empty text or an empty list.

    Args:
        schema: The columns.
        rows: Cells by column; every name must be one of the schema.
    """
    given = list(rows)
    unknown = {name for row in given for name in row} - set(schema)
    assert not unknown, f"the schema has no {', '.join(sorted(unknown))}"
    empty = {name: _nothing(column) for name, column in schema.items()}
    return table(schema, [{**empty, **row} for row in given])


def _nothing(column: Column) -> Any:
    if column.dtype in ("str", "string"):
        return ""
    return [] if column.dtype == "object" else np.dtype(column.dtype).type(0)
