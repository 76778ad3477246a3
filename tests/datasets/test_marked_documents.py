"""Marked documents: each kind of table gives the same, and what is wrong is named by row."""

from pathlib import Path

import pandas as pd
import pytest

from core.datasets.marked_documents import OwnMarkedDocuments
from core.datasets.marked_excerpt import MarkedExcerpt
from core.errors import InvalidDocuments

ROWS = pd.DataFrame(
    {
        "text": ["one knee", "two, knees", "three\nelbows", "one  KNEE!", "4 5 6", "five"],
        "member": ["in", "out", "", "IN", "out", "no"],
        "who": ["a", "b", "a", "c", "c", "b"],
    }
)


def read(path: Path, **fields: str) -> OwnMarkedDocuments:
    return OwnMarkedDocuments(source=str(path), **fields)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.csv.gz", "t.jsonl.gz"])
def test_every_kind_of_table_gives_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if "csv" in name or "tsv" in name:
        ROWS.to_csv(path, index=False, sep="\t" if "tsv" in name else ",")
    elif "jsonl" in name:
        ROWS.to_json(path, orient="records", lines=True)
    else:
        ROWS.to_parquet(path, index=False)
    reading = read(path, owner_column="who").read()
    assert reading.documents.texts == ("one knee", "two, knees", "three\nelbows", "five")
    assert reading.documents.members == ("in", "out", "", "out")
    assert reading.documents.owners == ("a", "b", "a", "b")
    assert (reading.rows, reading.repeated, reading.empty) == (6, 1, 1)
    assert "1 in, 2 out, 1 unmarked, of 2 owners; left out: 1 without a word" in reading.summary()


def test_a_column_may_hold_classes_and_leaves_the_key_where_it_does_not(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    ROWS.assign(kind=["a", " b ", "", "a", "a", "b"]).to_csv(path, index=False)
    reading = read(path, label_column="kind").read()
    assert reading.documents.labels == ("a", "b", "", "b") and reading.documents.owners == ()
    assert "1 unmarked, in 2 classes; left out" in reading.summary()
    assert "label_column" not in read(path).identity()
    assert read(path, label_column="kind").key != read(path).key


def test_a_column_may_hold_translations_and_leaves_the_key_where_it_does_not(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    ROWS.assign(german=["ein Knie", "zwei", " ", "x", "y", "fünf"]).to_csv(path, index=False)
    reading = read(path, translation_column="german").read()
    assert reading.documents.translations == ("ein Knie", "zwei", "fünf") and reading.empty == 2
    assert reading.documents.select([2, 0]).sides([1]) == [("one knee", "ein Knie")]
    assert "translation_column" not in read(path).identity()
    assert read(path).load().translations == () and read(path).load().sides([0]) == [("one knee",)]


def test_near_copies_of_others_in_are_left_out_on_both_sides_and_rows_keep_their_numbers(tmp_path: Path) -> None:
    path, said = tmp_path / "t.csv", "shall we meet for lunch at noon today"
    texts = [said, "", f"hi {said}", f"hi {said} bob", f"{said} ann", "a text of nobody else"]
    pd.DataFrame({"text": texts, "member": ["in", "in", "out", "in", "", "out"]}).to_csv(path, index=False)
    assert read(path).load().numbers == (1, 3, 4, 5, 6), "a row without a word is passed over"
    reading = read(path, near_copies="left out").read()
    assert (reading.documents.numbers, reading.copies) == ((6,), 4)
    assert "1 without a word, 4 as near copies of others in." in reading.summary()
    assert "near_copies" not in read(path).identity()
    pd.DataFrame({"text": texts, "member": ["in", "", "out", "out", "out", "out"]}).to_csv(path, index=False)
    kept = read(path, near_copies="left out").load()
    assert (kept.numbers, kept.members) == ((1, 6), ("in", "out")), "no other that is in is like the first"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("text,member\nknee,perhaps\n", "Row 1 of t.csv must say in, out or nothing"),
        ("text,member\nknee,in\nKnee.,out\n", "Row 2 of t.csv has the words of a row above"),
        ("text,other\nknee,in\n", "no column 'member'. There are text and other. Set 'member_column'"),
        ("", "empty"),
        ("text,member\n", "t.csv is empty: it names columns, and no row stands below. Write one"),
        ("text,membr\nknee,in\n", "no column 'member'. Did you mean 'membr'. Set 'member_column' to the column"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(InvalidDocuments, match=says):
        read(tmp_path / "t.csv").load()


def test_a_folder_or_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocuments, match="is no table"):
        read(tmp_path).load()
    with pytest.raises(InvalidDocuments, match="No documents are given"):
        OwnMarkedDocuments().load()


def test_the_marks_of_the_excerpt_follow_from_their_seed() -> None:
    first, other = MarkedExcerpt().load(), MarkedExcerpt(marks=2).load()
    assert [len(first.rows(mark)) for mark in ("in", "out")] == [1000, 400]
    assert set(first.texts) == set(other.texts) and first.texts != other.texts
