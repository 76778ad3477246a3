"""A downloaded table runs nothing in a spreadsheet, and its numbers can be computed with."""

import io

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.figures import tables


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_is_a_formula(start: str) -> None:
    text = f"{start}HYPERLINK(1)"
    for column in ([text, "plain"], pd.Categorical([text, "plain"]), pd.array([text, "plain"], dtype="string")):
        frame = pd.DataFrame({"word": column, text: [1, 2]})
        again = pd.read_csv(io.BytesIO(tables.csv(frame)))
        assert list(again) == ["word", f"'{text}"]
        assert list(again["word"]) == [f"'{text}", "plain"]


def test_a_text_with_line_ends_begins_no_row() -> None:
    text = "a\r=1+1\n=1+1\r\n=1+1"
    assert list(pd.read_csv(io.BytesIO(tables.csv(pd.DataFrame({"word": [text]}))))["word"]) == [text]


def test_numbers_stay_numbers() -> None:
    frame = pd.DataFrame(
        {
            "weight": [-0.5, np.nan, 1e-9],
            "count": [-1, 0, 1],
            "member": [True, False, True],
            "said": ["-0.5", "+3", "-1e-3"],
            "mixed": [-1, "-a", None],
            "documents": [[1, 2], [], [3]],
        }
    )
    expected = frame.assign(mixed=[-1, "'-a", None]).to_csv(index=False, lineterminator="\r\n").encode()
    assert tables.csv(frame) == expected


def test_a_table_without_rows_or_texts_can_be_saved() -> None:
    assert tables.csv(pd.DataFrame({"a": pd.Series([], dtype=object)})) == b"a\r\n"


def test_records_are_the_rows_that_pandas_gives() -> None:
    frame = pd.DataFrame(
        {
            "size": np.array([1, 2], np.int32),
            "share": np.array([0.5, np.nan], np.float32),
            "member": [True, False],
            "word": pd.array(["a", None], dtype="string"),
            "documents": [[1], []],
            "from": ["x", "y"],
            "naive F1": [1, 2],
        }
    )
    for rows in (frame, frame.head(0)):
        own_rows, pandas_rows = tables.records(rows), list(rows.itertuples(index=False, name="Row"))
        assert repr(own_rows) == repr(pandas_rows)
        assert [list(map(type, row)) for row in own_rows] == [list(map(type, row)) for row in pandas_rows]
    assert tables.records(frame)[1].size == 2
