"""Vectors of one's own: every format gives the same vectors, and what is no vector store is refused by name."""

import gzip
import json
import pickle
import struct
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from core.datasets.embeddings import Embeddings, _drawn
from core.errors import InvalidSpec, InvalidVectors
from core.sources import user_files
from core.sources.vectors import inert, known
from core.sources.vectors.formats import csv_table
from core.sources.vectors.stored import Columns
from core.text.vectors import Vectors
from tests.datasets.store_contents import DIMENSION, after_changes, rows, vectors

COUNT = 40
VALUES = vectors(COUNT)
ROWS = list(rows(COUNT))
FIELDS = {"text": [row.text for row in ROWS], "id": [str(row.id) for row in ROWS], "owner": [row.owner for row in ROWS]}
ARCHIVES = Path(__file__).parent / "stores"


def read(path: Path, **fields: Any) -> Vectors:
    return Embeddings(source=str(path), **fields).load()


def table(vector: Any, **more: Any) -> pa.Table:
    return pa.table({**FIELDS, "embedding": vector, **more})


def lists(kind: pa.DataType) -> pa.Array:
    return pa.array(VALUES.tolist(), kind)


def numbered() -> dict[str, Any]:
    return {f"dim_{number}": VALUES[:, number] for number in range(DIMENSION)}


def arrow(path: Path, content: pa.Table) -> None:
    with pa.ipc.new_file(path, content.schema) as file:
        file.write_table(content, max_chunksize=7)


def lines(path: Path) -> None:
    opening: Any = gzip.open if path.suffix == ".gz" else open
    with opening(path, "wt") as file:
        for row in ROWS:
            values = {"text": row.text, "id": row.id, "owner": row.owner, "embedding": row.vector.tolist()}
            file.write(json.dumps(values) + "\n")


def pgvector(path: Path) -> None:
    cells = [f'{row.id},{row.text},{row.owner},"[{",".join(map(str, row.vector))}]"' for row in ROWS]
    path.write_text("\n".join(["id,text,owner,embedding", *cells]))


def column_a_dimension(path: Path) -> None:
    names = "\t".join(f"embedding_{number}" for number in range(DIMENSION))
    cells = ["\t".join([row.text, *map(str, row.vector), str(row.id), row.owner]) for row in ROWS]
    path.write_text("\n".join([f"text\t{names}\tid\towner", *cells]))


WITH_TEXTS: dict[str, Callable[[Path], None]] = {
    "list.parquet": lambda path: pq.write_table(table(lists(pa.list_(pa.float32()))), path, row_group_size=9),
    "fixed.parquet": lambda path: pq.write_table(table(lists(pa.list_(pa.float32(), DIMENSION))), path),
    "list.arrow": lambda path: arrow(path, table(lists(pa.list_(pa.float32())))),
    "fixed.arrow": lambda path: arrow(path, table(lists(pa.list_(pa.float32(), DIMENSION)))),
    "lines.jsonl": lines,
    "lines.jsonl.gz": lines,
    "pgvector.csv": pgvector,
    "wide.tsv": column_a_dimension,
}


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_a_table_gives_vectors_texts_ids_and_owners(name: str, tmp_path: Path) -> None:
    WITH_TEXTS[name](path := tmp_path / name)
    stored = read(path, owner_column="owner")
    assert np.allclose(stored.values, VALUES, atol=1e-6)
    assert (stored.texts, stored.ids, stored.owners) == tuple(map(tuple, FIELDS.values()))
    assert stored.labels == ()
    sample = read(path, owner_column="owner", sample=5)
    assert len(sample) == 5 < sample.total == COUNT
    assert np.allclose(sample.values, VALUES[sample.rows], atol=1e-6)
    assert sample.texts == tuple(f"text {row}" for row in sample.rows), "each vector keeps its own text"


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    pq.write_table(pa.table({**numbered(), "body": FIELDS["text"], "kind": FIELDS["owner"]}), tmp_path / "x.parquet")
    stored = read(tmp_path / "x.parquet", vector_column="dim", text_column="body", label_column="kind")
    assert np.array_equal(stored.values, VALUES)
    assert (stored.texts[0], stored.labels[:2], stored.ids) == ("text 0", ("anna", "ben"), ())


def index(path: Path, kind: str) -> None:
    made = faiss.index_factory(DIMENSION, kind)
    made.train(VALUES)
    if "IDMap" in kind:
        made.add_with_ids(VALUES, np.arange(COUNT) + 100)
    else:
        made.add(VALUES)
    faiss.write_index(made, str(path))


def test_a_vector_beyond_32_bits_is_left_out_as_not_finite(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([[1.0, 0.0], [1e308, 0.0], [0.0, 1.0]]))
    stored = read(tmp_path / "x.npy")
    assert (stored.values.tolist(), stored.left_out) == ([[1, 0], [0, 1]], 1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["Flat", "IVF2,Flat", "HNSW8", "HNSW8,SQ8", "SQ8", "SQfp16", "IDMap,Flat"])
def test_a_faiss_index_gives_its_vectors_without_faiss(kind: str, tmp_path: Path) -> None:
    index(path := tmp_path / "index.faiss", kind)
    stored = read(path)
    assert np.allclose(stored.values, VALUES, atol=6e-3 if "SQ" in kind else 0)
    first = 100 if "IDMap" in kind else 0
    assert stored.ids == tuple(str(first + row) for row in range(COUNT))


ARRAYS: dict[str, tuple[Any, dict[str, Any], float]] = {
    "float32": (VALUES, {}, 0),
    "float16": (VALUES.astype(np.float16), {}, 1e-3),
    "int8": (np.round(VALUES * 127).astype(np.int8), {"scale": 1 / 127}, 5e-3),
    "uint8": (np.round(VALUES * 127 + 128).astype(np.uint8), {"scale": 1 / 127, "zero": 128}, 5e-3),
}


@pytest.mark.parametrize("name", ["npy", "npz", "safetensors"])
@pytest.mark.parametrize("kind", ARRAYS)
def test_an_array_in_any_storage_format_gives_coordinates(kind: str, name: str, tmp_path: Path) -> None:
    array, decoding, error = ARRAYS[kind]
    path = tmp_path / f"x.{name}"
    if name == "npy":
        np.save(path, array)
    elif name == "npz":
        np.savez_compressed(path, embeddings=array, other=np.zeros(3))
    else:
        save_file({"embeddings": array, "other": np.zeros(3)}, path)
    stored = read(path, **decoding)
    assert np.abs(stored.values - VALUES).max() <= error
    assert np.array_equal(read(path, sample=4, **decoding).values, stored.values[read(path, sample=4, **decoding).rows])


def test_packed_bits_give_signs(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.packbits(VALUES > 0, axis=1))
    assert np.array_equal(read(tmp_path / "x.npy", storage="bits").values, np.where(VALUES > 0, 1, -1))


@pytest.mark.parametrize(("name", "count"), [("chroma", 1100), ("qdrant", 30)])
def test_a_folder_of_an_engine_is_read_as_it_lies(name: str, count: int, tmp_path: Path) -> None:
    """The archives hold what the real engines wrote: see tests/engines/stores.py."""
    folder = unpacked(name, tmp_path)
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    stored, expected = read(folder, owner_column="owner"), after_changes(count)
    assert set(stored.ids) == set(expected)
    assert all(np.allclose(expected[one], row, atol=1e-6) for one, row in zip(stored.ids, stored.values, strict=True))
    assert stored.texts == tuple(f"text {one}" for one in stored.ids)
    assert stored.owners == tuple(("anna", "ben")[int(one) % 2] for one in stored.ids)
    assert before == {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}, "nothing is written"


@pytest.mark.parametrize(
    "content",
    ["[", "[" * 2000, "[]", '{"collections": ["notes"]}', '{"collections": {"notes": 1}}', '{"collections": 3}'],
)
def test_a_damaged_list_of_collections_is_refused(content: str, tmp_path: Path) -> None:
    folder = unpacked("qdrant", tmp_path)
    (folder / "meta.json").write_text(content)
    with pytest.raises(InvalidVectors, match=r"meta\.json is damaged"):
        read(folder)


def test_a_lancedb_folder_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "store" / "notes.lance").mkdir(parents=True)
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(InvalidVectors, match="pip install lancedb"):
        read(tmp_path / "store")


def test_a_snapshot_of_qdrant_names_what_to_install_or_what_to_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "qdrant_edge", None)
    for name, member in (("one", "./0/segments/a.tar"), ("shard", "segments/a/segment.json"), ("all", "x.snapshot")):
        with tarfile.open(tmp_path / f"{name}.snapshot", "w") as archive:
            archive.addfile(tarfile.TarInfo(member))
    for name in ("one", "shard"):
        with pytest.raises(
            InvalidVectors, match=r"pip install qdrant-edge-py\. Or export the collection by the client"
        ):
            read(tmp_path / f"{name}.snapshot")
    with pytest.raises(InvalidVectors, match=r"unpack it with tar, and name one of its \.snapshot files"):
        read(tmp_path / "all.snapshot")
    content = (tmp_path / "one.snapshot").read_bytes()
    (tmp_path / "cut.snapshot").write_bytes(content[:100])
    with pytest.raises(InvalidVectors, match="no format that is known here"):
        read(tmp_path / "cut.snapshot")


def test_texts_may_lie_beside_the_vectors(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", VALUES)
    WITH_TEXTS["pgvector.csv"](tmp_path / "texts.csv")
    stored = read(tmp_path / "x.npy", texts=str(tmp_path / "texts.csv"), sample=6)
    assert stored.texts == tuple(f"text {row}" for row in stored.rows)


def test_queries_are_read_of_a_table_of_their_own(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", VALUES)
    (tmp_path / "q.csv").write_text("text\nwhere is it\n \nwhere is it\nwho wrote it\n")
    named: dict[str, Any] = {"queries": str(tmp_path / "q.csv"), "owner_column": "no matter here"}
    assert read(tmp_path / "x.npy", **named).queries == ("where is it", "who wrote it")
    plain, with_queries = (
        Embeddings(source=str(tmp_path / "x.npy")),
        Embeddings(source=str(tmp_path / "x.npy"), **named),
    )
    assert "queries" not in plain.identity() and plain.key != with_queries.key
    (tmp_path / "q.csv").write_text("text\n \n")
    with pytest.raises(InvalidVectors, match=r"q\.csv has no query: its column 'text' is empty in every row"):
        with_queries.load()
    (tmp_path / "q.csv").write_text("words\nx\n")
    with pytest.raises(InvalidVectors, match=r"'text'. The only one is words. Set 'query_column' to the column"):
        with_queries.load()
    assert with_queries.replace(query_column="words").load().queries == ("x",)
    (tmp_path / "t.csv").write_text("words,who\n" + "x,ann\n" * len(VALUES))
    with pytest.raises(InvalidVectors, match=r"'text'. There are words and who. Set 'text_column'"):
        read(tmp_path / "x.npy", texts=str(tmp_path / "t.csv"))
    with pytest.raises(InvalidSpec, match="must be above 0, such as 1"):
        Embeddings.parse({"scale": -1})
    with pytest.raises(InvalidVectors, match=r"no file '[^']*nothere.npy' on this machine\.$"):
        read(tmp_path / "nothere.npy")
    with pytest.raises(InvalidVectors, match=r"Did you mean '[^']*/x.npy'"):
        read(tmp_path / "x.npz")


def test_ten_million_vectors_are_not_read_whole(tmp_path: Path) -> None:
    array = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (10_000_000, 384))  # takes no disk
    array[9_999_999] = 1
    tracemalloc.start()
    sampled = read(tmp_path / "x.npy", sample=20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(sampled), sampled.total) == (20, 10_000_000)
    assert peak < 50_000_000
    assert np.array_equal(sampled.rows, read(tmp_path / "x.npy", sample=20).rows)
    assert not np.array_equal(sampled.rows, read(tmp_path / "x.npy", sample=20, sample_seed=1).rows)


def test_rows_that_share_one_long_text_take_no_more_memory_than_it(tmp_path: Path) -> None:
    count, path = 700, tmp_path / "shared.parquet"
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), ["x" * 300_000])
    vector = pa.array(np.ones((count, 2)).tolist())
    pq.write_table(pa.table({"text": texts.cast(pa.string()), "embedding": vector}), path)
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(InvalidVectors, match="more than 200,000,000 characters"):
            read(path)
        assert len(read(path, sample=500).texts[0]) == 300_000
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@given(st.integers(1, 400), st.integers(1, 50), st.integers(0, 40))
def test_members_of_the_sample_leave_it_only_for_rows_that_were_added(count: int, most: int, added: int) -> None:
    before, after = (_drawn(size, most, np.random.default_rng(0)) for size in (count, count + added))
    assert len(before) == min(count, most) and len(set(before)) == len(before) and np.all(np.diff(before) > 0)
    assert set(after[after < count]) <= set(before)


def test_vectors_that_are_not_finite_are_left_out_and_counted(tmp_path: Path) -> None:
    array = np.ones((200_000, 2), np.float16)
    array[[3, 70_000, 199_999], 1] = [np.nan, np.inf, np.nan]
    np.save(tmp_path / "x.npy", array)
    finite = read(tmp_path / "x.npy", sample=200_000)
    assert (len(finite), finite.left_out) == (199_997, 3)
    assert not {3, 70_000, 199_999} & set(finite.rows.tolist())
    assert finite.not_finite == (3, 70_000, 199_999) and finite.not_finite_ids == ()
    (tmp_path / "x.csv").write_text('id,embedding\nseven,"[1, 2]"\neight,"[NaN, 1]"\n')
    assert read(tmp_path / "x.csv").not_finite_ids == ("eight",)


def test_two_tables_read_at_once_keep_their_long_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sources.vectors.stored.ROWS_AT_ONCE", 1)
    text = "a" * 140_000  # more than the csv module reads unless told otherwise
    (tmp_path / "x.csv").write_text(f'text,embedding\nfirst,"[1]"\n{text},"[2]"\n')
    one, other = (csv_table.opened(tmp_path / "x.csv", Columns()).pieces() for _ in range(2))
    assert [next(one).fields, next(other).fields] == [{"text": ["first"]}] * 2
    assert user_files.table(tmp_path / "x.csv", ["text"], most=2) == {"text": ["first", text]}
    assert [rows.fields for rows in (*one, *other)] == [{"text": [text]}] * 2


def two_lengths_in_lines(path: Path) -> None:
    path.write_text('{"embedding": [1, 2]}\n{"embedding": [1, 2, 3]}\n')


def two_lengths_in_parquet(path: Path) -> None:
    pq.write_table(pa.table({"embedding": [[1.0, 2.0]] * 5000 + [[1.0]]}), path)


def lying_index(path: Path) -> None:
    index(path, "Flat")
    content = bytearray(path.read_bytes())
    content[8:16] = struct.pack("<q", 10**12)
    path.write_bytes(content)


def lying_length(path: Path) -> None:
    """Announce more codes than the file has, consistently."""
    index(path, "Flat")
    content = bytearray(path.read_bytes())
    content[8:16], content[37:45] = struct.pack("<q", 10**9), struct.pack("<Q", 10**9 * DIMENSION)
    path.write_bytes(content)


def broken_header(path: Path) -> None:
    np.save(path, VALUES)
    path.write_bytes(path.read_bytes().replace(b"}", b"(", 1))


def lying_shape(path: Path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 8)}" % 10**18
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)


def later_zip(path: Path) -> None:
    """Ask for a version of zip that nobody has."""
    np.savez(path, vectors=VALUES)
    content = path.read_bytes()
    entry = content.rindex(b"PK\1\2")
    path.write_bytes(content[: entry + 6] + b"\x6d" + content[entry + 7 :])


def damaged_zip(path: Path) -> None:
    np.savez_compressed(path, vectors=VALUES)
    content = path.read_bytes()
    path.write_bytes(content[:80] + b"\xff" * 20 + content[100:])


def damaged_gzip(path: Path) -> None:
    lines(path)
    content = path.read_bytes()
    path.write_bytes(content[:40] + b"\xff" * 20 + content[60:])


def lying_offsets(path: Path) -> None:
    """Let the first text end far beyond the bytes of all texts."""
    arrow(
        path, pa.table({"embedding": lists(pa.list_(pa.float32())), "text": [f"text {at:04}" for at in range(COUNT)]})
    )
    first, wrong = struct.pack("<2i", 0, 9), struct.pack("<2i", 0, 2**30)
    content = path.read_bytes()
    assert first in content
    path.write_bytes(content.replace(first, wrong, 1))


def no_text(path: Path) -> None:
    np.save(path, np.eye(3))
    (path.parent / "texts.csv").write_text("text\n")


def one_text_missing(path: Path) -> None:
    np.save(path, VALUES)
    path.with_name("texts.csv").write_text("text\n" + "\n".join(FIELDS["text"][1:]))


BAD: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "two lengths, JSON": ("x.jsonl", two_lengths_in_lines, "row 2 has 3 numbers, the first row 2"),
    "two lengths, Parquet": ("x.parquet", two_lengths_in_parquet, "row 5,001 has 1 numbers, the first row 2"),
    "no scale": ("x.npy", lambda path: np.save(path, np.ones((3, 2), np.int8)), "whole numbers without a scale"),
    "a pickle": ("x.npy", lambda path: path.write_bytes(pickle.dumps([1.0])), "is no NumPy file.*never loaded"),
    "objects": ("x.npy", lambda path: np.save(path, np.array([[{}]], object)), "is no NumPy file.*never loaded"),
    "one axis": ("x.npy", lambda path: np.save(path, np.ones(3)), r"one array of \(rows, numbers\)"),
    "cut off": ("x.npy", lambda path: path.write_bytes(b"\x93NUMPY\x01\x00"), "is no NumPy file"),
    "a lying index": ("x.faiss", lying_index, "announces 1,000,000,000,000 vectors"),
    "a lying length": ("x.faiss", lying_length, "announces 32,000,000,000 bytes more"),
    "no byte": ("x.npy", lambda path: path.write_bytes(b""), "x.npy is empty. Write it by numpy.save"),
    "an open bracket": ("x.npy", broken_header, "is no NumPy file"),
    "more than there is": ("x.npy", lying_shape, "is no NumPy file"),
    "a later zip": ("x.npz", later_zip, "is no NumPy file"),
    "a damaged zip": ("x.npz", damaged_zip, "is no NumPy file"),
    "a damaged gzip": ("x.jsonl.gz", damaged_gzip, "cannot be read"),
    "brackets": ("x.jsonl", lambda path: path.write_text("[" * 100_000), "Line 1 of x.jsonl is no JSON"),
    "lying offsets": ("x.arrow", lying_offsets, "no readable Parquet or Arrow file"),
    "no index": ("x.faiss", lambda path: path.write_bytes(b"hello world"), "of the kind 'hell', or none"),
    "one text missing": ("x.npy", one_text_missing, "39 texts for 40 vectors"),
    "no vectors": ("x.csv", lambda path: path.write_text("text,embedding\n"), "holds no vectors"),
    "nothing": ("x.csv", lambda path: path.write_text(""), "x.csv is empty"),
    "no texts": ("x.npy", no_text, "texts.csv holds no texts"),
    "not one finite": ("x.npy", lambda path: np.save(path, np.full((3, 2), np.nan)), "All 3 vectors are not finite"),
    "no column": ("x.csv", lambda path: path.write_text("text,body\na,b\n"), "no column of vectors"),
    "words": ("x.csv", lambda path: path.write_text('embedding\n"[a,b]"\n'), "more than numbers"),
    "no list": ("x.csv", lambda path: path.write_text("embedding\nhello\n"), "Row 1 of x.csv holds no vector: 'hello'"),
    "no Parquet": ("x.parquet", lambda path: path.write_text("PAR1"), "no readable Parquet"),
    "no safetensors": ("x.safetensors", lambda path: path.write_text("x" * 20), "no readable safetensors"),
    "no zip": ("x.npz", lambda path: path.write_text("x"), "is no NumPy file"),
    "another format": ("x.docx", lambda path: path.write_text("x"), "no format that is known here"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said_by_name(case: str, tmp_path: Path) -> None:
    name, write, says = BAD[case]
    write(path := tmp_path / name)
    texts = tmp_path / "texts.csv"
    with pytest.raises(InvalidVectors, match=says):
        read(path, texts=str(texts) if texts.exists() else "")


def test_a_chroma_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    old, folder = tmp_path / "old", unpacked("chroma", tmp_path)
    old.mkdir()
    (old / "chroma-collections.parquet").touch()
    with pytest.raises(InvalidVectors, match=r"before 0\.4"):
        read(old)
    header = next(folder.glob("*/header.bin"))
    header.write_bytes(struct.pack("<i", 2) + header.read_bytes()[4:])
    with pytest.raises(InvalidVectors, match="header version 2"):
        read(folder)
    (folder / "chroma.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(84))
    with pytest.raises(InvalidVectors, match="another version"):
        read(folder)


def test_no_vectors_and_no_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidVectors, match="Set 'source'"):
        Embeddings().load()
    with pytest.raises(InvalidVectors, match="no folder and no file"):
        read(tmp_path / "nothing.npy")


def test_the_key_follows_the_content_and_not_the_path(tmp_path: Path) -> None:
    for name, values in (("a", VALUES), ("b", VALUES), ("c", VALUES + 1)):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / f"{name}.npy", values)
    first, copy, other = (Embeddings(source=str(tmp_path / name / f"{name}.npy")) for name in "abc")
    assert first.key == copy.key != other.key
    assert first.replace(sample=5).key != first.key
    folders = [Embeddings(source=str(tmp_path / name)).key for name in "abc"]
    assert folders[0] == folders[1] != folders[2]


class Trap:
    """Runs a command wherever it is unpickled."""

    def __reduce__(self) -> Any:
        return subprocess.check_call, (["false"],)


def test_a_pickle_is_read_as_data_and_runs_nothing() -> None:
    content = inert.content_of(pickle.dumps({"a": [1, 2.5, None, True, ("x", "y")], "b": Trap()}), "x")
    assert content["a"] == [1, 2.5, None, True, ("x", "y")]
    assert content["b"].name == "subprocess.check_call", "the name is known, and nothing was called"
    for broken in (b"", b"\x80\x04", b"\x80\x04K\x01", b"\x80\x04a.", pickle.dumps(np.ones(3))[:-20]):
        with pytest.raises(InvalidVectors, match="is damaged"):
            inert.content_of(broken, "x")


def test_each_format_says_what_it_is_called() -> None:
    assert all(each.NAME for each in known())


def unpacked(name: str, folder: Path) -> Path:
    with zipfile.ZipFile(ARCHIVES / f"{name}.zip") as archive:
        archive.extractall(folder / name)
    return folder / name


def test_a_table_without_a_column_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidVectors, match="There is none"):
        Columns().vector_of([], "empty.jsonl")
