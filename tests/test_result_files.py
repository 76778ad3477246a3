"""The files of a result: tables come back as they were stored, large ones smaller."""

import io

import numpy as np
import pandas as pd
import pytest

from core.result import Column, from_parquet, parquet, table


def scores(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    score = rng.normal(size=rows)
    score[0] = np.nan
    return pd.DataFrame(
        {
            "rule": np.where(rng.random(rows) < 0.5, "one_threshold", "likelihood_ratio"),
            "member": rng.random(rows) < 0.5,
            "documents": [[number, number + 1] for number in range(rows)],
            "score": score,
            "share": rng.integers(5, size=rows) / 5,
        }
    )


@pytest.mark.parametrize("rows", [10, 40_000])
def test_a_table_comes_back_as_it_was(rows: int) -> None:
    stored = scores(rows)
    again = from_parquet(parquet(stored))
    pd.testing.assert_frame_equal(again.assign(documents=again["documents"].map(list)), stored, check_dtype=False)


def test_scores_of_a_large_table_take_less_room_than_as_they_come() -> None:
    large, plain = scores(40_000), io.BytesIO()
    large.to_parquet(plain, index=False, compression="zstd")
    assert len(parquet(large)) < 0.95 * len(plain.getvalue())


def test_a_table_that_is_not_large_has_the_bytes_that_it_always_had() -> None:
    plain = io.BytesIO()
    scores(1000).to_parquet(plain, index=False, compression="zstd")
    assert parquet(scores(1000)) == plain.getvalue()


def test_a_table_has_exactly_its_declared_columns() -> None:
    schema = {"word": Column("str", "A word."), "score": Column("float64", "Its score.")}
    built = table(schema, [{"word": "war"}, {"word": "world", "score": 1.0}])
    assert built["score"].isna().tolist() == [True, False]
    assert table(schema, []).columns.tolist() == ["word", "score"]
    with pytest.raises(ValueError, match=r"columns, word, score\. Wrong are: score, which no row has\."):
        table(schema, [{"word": "war"}])
    with pytest.raises(ValueError, match=r"score, which no row has; scores, which is not declared\."):
        table(schema, {"word": ["war"], "scores": [1.0]})
    with pytest.raises(ValueError, match=r"Wrong are: note, which is not declared\."):
        table(schema, [{"word": "war", "score": 1.0}, {"word": "world", "score": 0.0, "note": "lost otherwise"}])
