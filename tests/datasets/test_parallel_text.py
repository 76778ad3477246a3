"""A user's own sentences and translations: what is read, and what is refused with a reason."""

import csv
import io
import os
from pathlib import Path

import pytest

from core.datasets.translations import parallel_text
from core.datasets.translations.parallel_text import ParallelText
from core.errors import InvalidDocuments
from core.sources import user_files
from core.text.bitext import Subcorpus

PAIRS = [
    (f"Der Brief {letter}, vom Meer", f"The letter {letter}, from the sea") for letter in "abcdefghijklmnopqrstuvwx"
]


def table(header: str, *rows: tuple[str, ...], delimiter: str = "\t") -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter).writerows([header.split(), *rows])
    return stream.getvalue().encode()


def of(path: Path, **fields: int) -> ParallelText:
    return ParallelText.parse({"source": str(path), **fields})


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".TSV"])
def test_a_row_is_a_pair(tmp_path: Path, delimiter: str, ending: str) -> None:
    path = tmp_path / f"letters{ending}"
    path.write_bytes(b"\xef\xbb\xbf" + table("source target", *PAIRS, PAIRS[0], ("", "x"), delimiter=delimiter))
    bitext = of(path).load()
    assert len(bitext) == len(PAIRS)
    assert (bitext.sources[0], bitext.targets[0]) == ("Der Brief a , vom Meer", "The letter a , from the sea")
    assert bitext.corpora == (Subcorpus("own", "own"),)


def test_rows_may_say_where_they_are_from_and_who_has_such(tmp_path: Path) -> None:
    path = tmp_path / "letters.tsv"
    of_row = {0: ("sea", "shared"), 1: (" far  away ", "Foreign"), 2: ("desk", "private"), 3: ("sea", "")}
    rows = [(*of_row[number % 4], target, source) for number, (source, target) in enumerate(PAIRS)]
    path.write_bytes(table("subcorpus role target source", *rows))
    bitext = of(path).load()
    assert bitext.corpora == (
        Subcorpus("sea", "sea"),
        Subcorpus("far away", "far away", "foreign"),
        Subcorpus("desk", "desk", "private"),
    )
    assert [len(bitext.rows(role)) for role in ("shared", "private", "foreign")] == [12, 6, 6]
    assert all(source.startswith("Der") for source in bitext.sources)


def test_long_pairs_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "letters.tsv"
    path.write_bytes(table("source target", *PAIRS, ("viel " * 30, "many")))
    assert len(of(path).load()) == len(PAIRS)
    assert len(of(path, longest=40).load()) == len(PAIRS) + 1
    with pytest.raises(InvalidDocuments, match="holds 0 different pairs of at most 3 words a side, of 25 rows"):
        of(path, longest=3).load()


def test_the_key_follows_the_content_not_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "letters.tsv"
    path.write_bytes(table("source target", *PAIRS))
    key = of(path).key
    os.utime(path, (1, 1))
    assert of(path).key == key
    path.write_bytes(table("source target", *PAIRS[1:]))
    assert of(path).key != key
    assert of(tmp_path / "missing.tsv").key != key


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.tsv", b"", "a.tsv is empty"),
        ("a.tsv", table("sources target", *PAIRS), "a.tsv has no column 'source'. Did you mean 'sources'"),
        ("a.tsv", table("source english", *PAIRS), "a.tsv has no column 'target'. There are source and english"),
        ("a.tsv", table("source target target"), "2 columns named 'target'"),
        ("a.tsv", table("source target role role"), "2 columns named 'role'"),
        ("a.tsv", table("source target", *PAIRS, ("x",)), "Line 26 of a.tsv has 1 fields, not 2"),
        ("a.tsv", table("source target", *PAIRS[:19]), "holds 19 different pairs .* At least 20 are needed"),
        ("a.tsv", table("source target", *PAIRS[:5] * 9), "holds 5 different pairs .* of 45 rows"),
        ("a.tsv", table("source target subcorpus", ("a", "b", "")), "subcorpus of pair 1 of a.tsv must be a name"),
        ("a.tsv", table("source target subcorpus", ("a", "b", "x" * 61)), "must be a name of 1 to 60 characters"),
        ("a.tsv", table("source target role", ("a", "b", "privat")), "one of shared, private.* Did you mean 'private'"),
        (
            "a.tsv",
            table("source target subcorpus role", ("a", "b", "x", "private"), ("c", "d", "x", "")),
            "Pair 2 of a.tsv says that 'x' is shared. Another says that it is private",
        ),
        (
            "a.tsv",
            table("source target subcorpus", *((str(n), str(n), f"c{n}") for n in range(21))),
            "has 21 subcorpora. There may be 20",
        ),
        ("a.tsv", b"source\ttarget\na\0\tb", "NUL bytes"),
        ("a.txt", b"source\ttarget\na\tb", "a.txt is no .tsv or .csv file"),
    ],
)
def test_bad_files_are_refused_with_the_reason(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidDocuments, match=reason):
        of(tmp_path / name).load()


def test_no_file_too_large_a_file_and_too_many_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidDocuments, match="No translations are given"):
        ParallelText().load()
    with pytest.raises(InvalidDocuments, match="There is no folder and no file"):
        of(tmp_path / "missing.tsv").load()
    with pytest.raises(InvalidDocuments, match=r"is no \.tsv or \.csv file"):
        of(tmp_path).load()
    path = tmp_path / "letters.tsv"
    path.write_bytes(table("source target", *PAIRS))
    with monkeypatch.context() as patch:
        patch.setattr(parallel_text, "MOST", 23)
        with pytest.raises(InvalidDocuments, match=r"has more than 23 rows\. At most 23 are read"):
            of(path).load()
    monkeypatch.setattr(user_files, "LARGEST", 100)
    with pytest.raises(InvalidDocuments, match="At most 100 are read"):
        of(path).load()
