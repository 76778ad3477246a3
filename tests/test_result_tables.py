"""Tables of a result: they have the columns that are declared."""

import pytest

from core.result import Column, table


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
