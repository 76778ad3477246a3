"""A user's own documents: what is read, and what is refused with a reason."""

import csv
import gzip
import io
import json
import os
import shutil
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.corpora import source
from core.datasets import documents
from core.datasets.documents import Documents
from core.errors import InvalidDocuments, TooManyDocuments
from core.sources import parquet, user_files
from core.text.contents import Documents as Loaded

TEXTS = [f"letter {word} from the sea" for word in "abcdefghijklmnopqrstuvwxyz"]
OWNERS = [f"sailor {number % 3}" for number in range(len(TEXTS))]


def table(rows: list[list[str]], delimiter: str = ",") -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    return stream.getvalue().encode()


ROWS = [["who", "text"], *([owner, text] for owner, text in zip(OWNERS, TEXTS, strict=True))]


def of(path: Path, **fields: str) -> Documents:
    return Documents.parse({"source": str(path), **fields})


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number:02}.txt").write_text(text)
    return folder


def test_a_flat_folder_has_no_owners(letters: Path) -> None:
    (letters / "notes.md").write_text("not read")
    assert of(letters).load() == Loaded(tuple(TEXTS))


def test_sub_folders_are_the_owners(letters: Path) -> None:
    (letters / "ann").mkdir()
    (letters / "ann" / "1.txt").write_text("a letter by Ann")
    loaded = of(letters).load()
    assert loaded.owners == ("letters",) * len(TEXTS) + ("ann",)
    assert loaded.texts[-1] == "a letter by Ann"


def test_a_folder_and_the_one_that_holds_it_alone_have_keys_of_their_own(letters: Path, tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    letters.rename(above / letters.name)
    assert of(above).load().owners == (letters.name,) * len(TEXTS)
    assert of(above / letters.name).load().owners == ()
    assert of(above).key != of(above / letters.name).key


def test_links_are_not_followed(letters: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("somebody else's secret")
    (letters / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert len(of(letters).load()) == len(TEXTS)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".CSV"])
def test_a_table_gives_one_document_a_row(tmp_path: Path, delimiter: str, ending: str) -> None:
    path = tmp_path / f"letters{ending}"
    path.write_bytes(table(ROWS, delimiter))
    assert of(path).load() == Loaded(tuple(TEXTS))
    assert of(path, owner_column="who").load() == Loaded(tuple(TEXTS), tuple(OWNERS))
    assert of(path, label_column="who").load() == Loaded(tuple(TEXTS), labels=tuple(OWNERS))
    assert of(path, owner_column="who", label_column="who").load() == Loaded(tuple(TEXTS), tuple(OWNERS), tuple(OWNERS))


def test_texts_with_line_breaks_separators_and_no_words(tmp_path: Path) -> None:
    path = tmp_path / "letters.csv"
    path.write_bytes(b"\xef\xbb\xbf" + table([*ROWS, ["x", "two\nlines, quoted"], ["x", ""], ["x", "12 !"]]))
    loaded = of(path, owner_column="who").load()
    assert loaded.texts == (*TEXTS, "two\nlines, quoted")
    assert loaded.owners == (*OWNERS, "x")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_a_document_that_is_too_long_is_passed_over_and_counted(tmp_path: Path, name: str) -> None:
    texts = [*TEXTS, "y" * 158_952, ""]
    if name == "a.parquet":
        pq.write_table(pa.table({"text": texts}), tmp_path / name)
    else:
        content = table([["text", "n"], *([text, "1"] for text in texts)])
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert of(tmp_path / name).load() == Loaded(tuple(TEXTS))
    assert of(tmp_path / name).summary() == (
        "26 of 28 rows read as documents, 1 left out with more than 131,072 characters, no owners given."
    )


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
@pytest.mark.parametrize("column", ["member", "Is_Member"])
def test_marks_of_what_a_model_was_trained_on_are_said_not_to_be_used(tmp_path: Path, name: str, column: str) -> None:
    path = tmp_path / name
    frame = pd.DataFrame({"text": TEXTS, column: ["in", "out"] * (len(TEXTS) // 2)})
    if name == "a.csv":
        frame.to_csv(path, index=False)
    elif name == "a.jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    remark = f" The column {column!r} is not used: an experiment decides itself"
    assert remark in of(path).summary() and "core audit model MODEL" in of(path).summary()
    assert remark not in of(path, owner_column=column).summary()
    if name != "a.jsonl":
        assert remark not in of(path, label_column=column).summary()


def test_what_is_not_utf_8_is_windows_1252(letters: Path) -> None:
    (letters / "00.txt").write_bytes("café – naïve".encode("cp1252"))
    (letters / "01.txt").write_bytes("\ufeffcafé".encode())
    assert of(letters).load().texts[:2] == ("café – naïve", "café")


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()]
)
def test_parquet(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "letters.parquet"
    texts = pa.array([*TEXTS, None], pa.string()).cast(kind)
    owners = pa.array([*range(len(TEXTS)), 0])
    pq.write_table(pa.table({"text": texts, "who": owners}), path)
    assert of(path).load() == Loaded(tuple(TEXTS))
    loaded = of(path, owner_column="who", label_column="text").load()
    assert loaded.owners == tuple(str(number) for number in range(len(TEXTS)))
    assert loaded.labels == tuple(TEXTS)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv.gz", "A.TSV.GZ"])
def test_lines_of_json_and_compressed_tables(tmp_path: Path, name: str) -> None:
    pairs = zip(OWNERS, TEXTS, strict=True)
    if ".jsonl" in name:
        content = "".join(json.dumps({"text": text, "who": who, "n": 1}) + "\n" for who, text in pairs).encode()
    else:
        content = table(ROWS, "\t" if "TSV" in name else ",")
    (tmp_path / name).write_bytes(gzip.compress(content) if name.lower().endswith(".gz") else content)
    assert of(tmp_path / name).load() == Loaded(tuple(TEXTS))
    assert of(tmp_path / name, owner_column="who").load() == Loaded(tuple(TEXTS), tuple(OWNERS))
    with pytest.raises(InvalidDocuments, match=r"Classes are read from one \.csv"):
        of(tmp_path / name, label_column="who").load()


def test_a_folder_of_tables(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(table([ROWS[0], *ROWS[11:]]))
    (tmp_path / "a.csv").write_bytes(table(ROWS[:11]))
    assert of(tmp_path, owner_column="who").load() == Loaded(tuple(TEXTS), tuple(OWNERS))


def test_the_key_follows_the_content_not_the_clock(letters: Path) -> None:
    key = of(letters).key
    os.utime(letters / "00.txt", (1, 1))
    assert of(letters).key == key
    shutil.copytree(letters, letters.parent / "elsewhere")
    assert of(letters.parent / "elsewhere").key == key, "the same content has the same results, wherever it lies"
    (letters / "00.txt").write_text("another letter")
    assert of(letters).key != key
    assert of(letters / "missing").key != key


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", b"", "is empty"),
        (
            "a.csv",
            table([["who", "texts"], ["a", "b"]]),
            "no column 'text'. Did you mean 'texts'. Set 'text_column' to",
        ),
        ("a.csv", table([["text", "text"], ["a", "b"]]), "2 columns named 'text'"),
        ("a.csv", table(ROWS[:20]), "holds 19 documents with words. At least 20"),
        ("a.csv", table(ROWS[:2]), "holds 1 document with words. At least 20"),
        ("a.csv", table([*ROWS, ["one"]]), "Line 28 of a.csv has 1 fields"),
        ("a.csv", table([["text"], *[["y" * 131_073]] * 30]), "0 documents with words of at most 131,072 characters"),
        ("a.tsv", b"who\tmail\nann\thello\n", "no column 'text'. There are who and mail"),
        ("a.csv", table(ROWS) + b'x,"open', "Line 28 of a.csv cannot be read"),
        ("a.csv", b"text\na\0b", "NUL bytes"),
        ("a.csv", "text\nletter".encode("utf-16"), "NUL bytes"),
        ("a.parquet", b"PAR1 no, not really PAR1", "not a readable Parquet file"),
        ("a.parquet", b"", "is empty"),
        ("a.pickle", b"cos\nsystem\n(S'true'\ntR.", "neither a folder .* Its name ends in '.pickle'"),
        ("a.txt", b"one text only", "neither a folder"),
    ],
)
def test_bad_files_are_refused_with_the_reason(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidDocuments, match=reason):
        of(tmp_path / name).load()


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (pa.array([["a"]] * 30), "must hold texts. It holds list"),
        (pa.array([{"a": "b"}] * 30), "must hold texts. It holds struct"),
        (pa.array([b"a"] * 30), "must hold texts. It holds binary"),
        (pa.array([1.5] * 30), "must hold texts. It holds double"),
        (pa.array(["y" * 131_073] * 30), "0 documents with words of at most 131,072"),
        (pa.array(["a\0b"] * 30), "NUL character"),
    ],
)
def test_bad_columns_are_refused_with_the_reason(tmp_path: Path, column: pa.Array, reason: str) -> None:
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet")
    with pytest.raises(InvalidDocuments, match=reason):
        of(tmp_path / "a.parquet").load()


@pytest.mark.parametrize("source", ["", "  ", "/no/such/place", "a\0b", "~nobody_of_that_name/x", "x" * 4000])
def test_bad_paths_are_refused(source: str) -> None:
    dataset = Documents.parse({"source": source})
    assert len(dataset.key) == 16
    with pytest.raises(InvalidDocuments):
        dataset.load()


def test_too_large_too_many_and_empty_folders(letters: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (letters / "empty").mkdir()
    with pytest.raises(InvalidDocuments, match=r"hold no \.txt file"):
        of(letters / "empty").load()
    with monkeypatch.context() as patch:
        patch.setattr(documents, "MOST", 25)
        with pytest.raises(InvalidDocuments, match="more than 25 documents"):
            of(letters).load().select([0])
    monkeypatch.setattr(user_files, "LARGEST", 100)
    with pytest.raises(InvalidDocuments, match="At most 100 are read"):
        of(letters).load().select([0])


def test_parquet_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table({"text": ["same " * 1000] * 2000}), tmp_path / "a.parquet", compression="zstd")
    monkeypatch.setattr(user_files, "LARGEST", 1_000_000)
    with pytest.raises(InvalidDocuments, match=r"unpack to .* At most 1,000,000 are read"):
        of(tmp_path / "a.parquet").load().select([0])


def load_or_refuse(path: Path, **fields: str) -> None:
    dataset = of(path, **fields)
    assert len(dataset.key) == 16
    try:
        loaded = dataset.load()
    except InvalidDocuments as error:
        assert str(error)
    else:
        assert len(loaded) >= documents.FEWEST


_FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
_CELLS = st.text(st.sampled_from('ab ,;"\n\r\t\0é'), max_size=8)
_GOOD_PARQUET = io.BytesIO()
pq.write_table(pa.table({"text": TEXTS, "who": OWNERS}), _GOOD_PARQUET)


@given(content=st.binary(max_size=400), prefix=st.sampled_from([b"", b"text\n", b"who,text\n", b'"text";x\n']))
@_FIXTURES
def test_any_bytes_as_a_table(tmp_path: Path, content: bytes, prefix: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(prefix + content)
    load_or_refuse(tmp_path / "a.csv")


@given(rows=st.lists(st.lists(_CELLS, max_size=3), max_size=40), column=_CELLS, owner=_CELLS)
@_FIXTURES
def test_any_table(tmp_path: Path, rows: list[list[str]], column: str, owner: str) -> None:
    (tmp_path / "a.csv").write_bytes(table([[column, owner], *rows]))
    load_or_refuse(tmp_path / "a.csv", text_column=column, owner_column=owner)


@given(content=st.binary(max_size=400))
@settings(_FIXTURES, max_examples=25)
def test_any_bytes_as_text_files(tmp_path: Path, content: bytes) -> None:
    for number in range(20):
        (tmp_path / f"{number}.txt").write_bytes(content)
    load_or_refuse(tmp_path)


@given(content=st.binary(max_size=400), prefix=st.sampled_from([b"", b"PAR1"]))
@_FIXTURES
def test_any_bytes_as_parquet(tmp_path: Path, content: bytes, prefix: bytes) -> None:
    (tmp_path / "a.parquet").write_bytes(prefix + content + prefix)
    load_or_refuse(tmp_path / "a.parquet")


@given(position=st.integers(0, len(_GOOD_PARQUET.getvalue()) - 1), value=st.integers(0, 255))
@_FIXTURES
def test_a_damaged_parquet_file(tmp_path: Path, position: int, value: int) -> None:
    content = bytearray(_GOOD_PARQUET.getvalue())
    content[position] = value
    (tmp_path / "a.parquet").write_bytes(content)
    load_or_refuse(tmp_path / "a.parquet", owner_column="who")


def test_a_damaged_description_of_a_column_ends_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With this byte, pyarrow 26 calls terminate() as soon as the description is looked at."""
    content = bytearray(_GOOD_PARQUET.getvalue())
    content[637] = 40
    (tmp_path / "a.parquet").write_bytes(content)
    load_or_refuse(tmp_path / "a.parquet", owner_column="who")
    monkeypatch.setattr(user_files, "LARGEST", 10)  # so that it must be looked at
    with pytest.raises(InvalidDocuments, match="what it says of a column is damaged"):
        parquet.columns(tmp_path / "a.parquet", ["text", "who"], "text", 100)


def test_rows_that_share_one_long_text_count_as_many(tmp_path: Path) -> None:
    """The file has less than a kilobyte, and its rows would take nine gigabytes."""
    same = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), pa.array(["same " * 18_000]))
    pq.write_table(pa.table({"text": same}), tmp_path / "a.parquet", compression="zstd")
    assert (tmp_path / "a.parquet").stat().st_size < 1000
    with pytest.raises(InvalidDocuments, match=r"unpack to [0-9,]+ bytes or more\. At most 200,000,000"):
        of(tmp_path / "a.parquet").load().select([0])


@given(texts=st.lists(_CELLS, min_size=1, max_size=5), data=st.data(), plain=st.booleans(), limit=st.integers(0, 400))
@_FIXTURES
def test_what_counts_is_the_length_of_every_row(
    tmp_path: Path, texts: list[str], data: st.DataObject, plain: bool, limit: int
) -> None:
    """However the rows are stored, they are read if and only if their values fit together."""
    chosen = data.draw(st.lists(st.none() | st.integers(0, len(texts) - 1), max_size=60))
    rows = [None if row is None else texts[row] for row in chosen]
    column = pa.array(rows, pa.string())
    pq.write_table(pa.table({"text": column if plain else column.dictionary_encode()}), tmp_path / "a.parquet")
    size = sum(len((row or "").encode()) for row in rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "_group_sizes", lambda _: [])  # which counts headers and indices too
        patch.setattr(user_files, "LARGEST", limit)
        if size > limit:
            with pytest.raises(InvalidDocuments, match=f"At most {limit:,} are read"):
                parquet.columns(tmp_path / "a.parquet", ["text"], "text", 100)
        else:
            assert parquet.columns(tmp_path / "a.parquet", ["text"], "text", 100) == {
                "text": [row or "" for row in rows]
            }


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_rows_are_counted_while_they_are_read(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "a.csv":
        (tmp_path / name).write_bytes(b"text,who\n" + b",\n" * 1000)
    else:
        pq.write_table(pa.table({"text": [""] * 1000}), tmp_path / name)
    monkeypatch.setattr(documents, "MOST", 100)
    with pytest.raises(InvalidDocuments, match="At most 100 are read"):
        of(tmp_path / name).load().select([0])


def test_a_missing_path_is_answered_with_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "reviews.csv").write_text("text\na review\n", "utf-8")
    with pytest.raises(InvalidDocuments, match=r"Did you mean '.*reviews\.csv'\?$"):
        user_files.located(str(tmp_path / "review.csv"))
    for far in (tmp_path / "zzz", tmp_path / "none" / "reviews.csv"):
        with pytest.raises(InvalidDocuments, match=r"on this machine\.$"):
            user_files.located(str(far))


def test_a_random_part_is_the_same_in_memory_and_from_disk(
    letters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.csv"
    numbers = range(4000)
    path.write_bytes(table([["who", "text"], *([f"sailor {number % 7}", f"letter {number}"] for number in numbers)]))
    part = of(path, owner_column="who", sample="300", sample_seed="5")
    read = part.read()
    order = [int(text.split()[1]) for text in read.documents.texts]
    assert order == sorted(set(order)) and len(order) == 300 and abs(np.mean(order) - 2000) < 250
    assert [f"sailor {number % 7}" for number in order] == list(read.documents.owners)
    counts = "300 of 4,000 rows read as documents, 300 drawn at random with seed 5, 7 owners."
    assert part.summary().startswith(counts)
    monkeypatch.setattr(documents, "MOST", 1000)
    monkeypatch.setattr(source, "PIECE", 5000)
    assert part.read() == read, "of a table that is too large for memory, a piece is held at a time"
    with pytest.raises(TooManyDocuments, match=r"more than 1,000 rows.*leave 'label_column' out"):
        of(path, label_column="who", sample="300").read()
    other = part.replace(sample_seed=6)
    assert other.read().documents.texts != read.documents.texts and len({part.key, other.key, of(path).key}) == 3
    assert of(path, sample_seed="6").key == of(path).key, "without a draw there is no seed"
    assert of(letters, sample="50").read() == of(letters).read(), "fewer are all read"


def test_near_copies_are_counted_or_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mails.csv"
    letters = [f"{word} wrote home from {word} about the {word} of the sea" for word in ascii_lowercase]
    upper, forward = letters[3].upper(), f"see below {letters[4]}"
    path.write_bytes(table([["text"], *([text] for text in [upper, *letters, forward])]))
    kept, chosen = of(path), of(path, near_copies="left out")
    counts = "28 of 28 rows read as documents, no owners given."
    found = f"{counts} 2 are near copies of a longer one, and may hide what leaks."
    assert kept.overview() == (found, 2)
    assert kept.summary() == f"{found} 'near_copies' set to 'left out' leaves near copies out."
    counts = "26 of 28 rows read as documents, 2 near copies of a longer one left out, no owners given."
    assert chosen.summary() == counts
    assert set(chosen.load().texts) == {upper, *letters, forward} - {letters[3], letters[4]}
    assert chosen.key != kept.key and "near_copies" not in kept.identity()
    path.write_bytes(table([["text"], *([f"{text} and so on"] for text in letters[:5] * 5)]))
    with pytest.raises(InvalidDocuments, match=r"holds 5 documents that are no near .*set 'near_copies' to 'kept'\.$"):
        chosen.load()
    monkeypatch.setattr(documents, "MOST", 20)
    with pytest.raises(TooManyDocuments, match=r"Only of documents in memory .* or 'near_copies' to 'kept'\.$"):
        chosen.load()
    monkeypatch.setattr(documents, "FEWEST", 5)
    assert chosen.replace(sample=20).read().copies == 15, "they are left out of what is drawn"
