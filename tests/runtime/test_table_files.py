"""Tables as files: they come back as they were stored, and take no more room than by any one encoding."""

import io

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runtime.table_files import as_written_before, from_parquet, parquet

WHOLE = st.integers(-(2**31), 2**31 - 1)
LONG = st.integers(-(2**63), 2**63 - 1)


def scores(rows: int) -> pd.DataFrame:
    """Return a table like one of scores: rows in order, names and shares that repeat, and scores that do not."""
    rng = np.random.default_rng(0)
    score = rng.normal(size=rows)
    score[0] = np.nan
    return pd.DataFrame(
        {
            "pair": np.arange(rows, dtype=np.int32),
            "rule": np.where(rng.random(rows) < 0.5, "one_threshold", "likelihood_ratio"),
            "member": rng.random(rows) < 0.5,
            "documents": [[number, number + 1] for number in range(rows)],
            "score": score,
            "share": rng.integers(5, size=rows) / 5,
        }
    )


def compared(again: pd.DataFrame, stored: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(again.assign(documents=again["documents"].map(list)), stored, check_exact=True)


@pytest.mark.parametrize("rows", [1, 10, 40_000])
def test_a_table_comes_back_as_it_was(rows: int) -> None:
    compared(from_parquet(parquet(scores(rows))), scores(rows))


@given(
    st.lists(
        st.tuples(WHOLE, LONG, st.floats(width=32), st.floats(), st.booleans(), st.text(), st.lists(LONG, max_size=3)),
        max_size=30,
    )
)
def test_any_values_come_back(rows: list[tuple[int, int, float, float, bool, str, list[int]]]) -> None:
    names = ("whole", "long", "short", "fraction", "flag", "text")
    kinds = ("int32", "int64", "float32", "float64", "bool", "str")
    stored = pd.DataFrame([row[:-1] for row in rows], columns=list(names)).astype(dict(zip(names, kinds, strict=True)))
    lists = [row[-1] for row in rows]
    again = from_parquet(parquet(stored.assign(documents=lists)))
    pd.testing.assert_frame_equal(again[list(names)], stored, check_exact=True)
    assert [list(numbers) for numbers in again["documents"]] == lists


def test_equal_tables_give_equal_bytes() -> None:
    assert parquet(scores(1000)) == parquet(scores(1000).copy())


@pytest.mark.parametrize("rows", [10, 1000, 40_000])
def test_a_table_takes_less_room_than_as_pandas_writes_it(rows: int) -> None:
    plain = io.BytesIO()
    scores(rows).to_parquet(plain, index=False, compression="zstd")
    assert len(parquet(scores(rows))) < 0.8 * len(plain.getvalue())


def test_each_column_has_the_encoding_that_suits_it() -> None:
    group = pq.read_metadata(io.BytesIO(parquet(scores(40_000)))).row_group(0)
    columns = {column.path_in_schema: column for column in map(group.column, range(group.num_columns))}
    assert "DELTA_BINARY_PACKED" in columns["pair"].encodings  # rows in order take next to nothing
    assert columns["pair"].total_compressed_size < 1000
    assert "BYTE_STREAM_SPLIT" in columns["score"].encodings
    assert "RLE_DICTIONARY" in columns["share"].encodings
    assert "DELTA_BINARY_PACKED" in columns["documents.list.element"].encodings
    assert not any(column.is_stats_set for column in columns.values())


@pytest.mark.parametrize("rows", [1000, 40_000])
def test_tables_that_earlier_versions_wrote_are_still_read(rows: int) -> None:
    compared(from_parquet(as_written_before(scores(rows))), scores(rows))


def test_earlier_versions_left_tables_that_are_not_large_to_pandas() -> None:
    plain = io.BytesIO()
    scores(1000).to_parquet(plain, index=False, compression="zstd")
    assert as_written_before(scores(1000)) == plain.getvalue()
