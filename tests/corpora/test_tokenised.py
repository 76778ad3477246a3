"""Large documents: the tokens of the corpus in memory, kept by content, resumed after a kill, damage found."""

import copy
import csv
import gzip
import io
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.__main__ import main
from core.corpora import parsing
from core.corpora import source as sources
from core.corpora import tokenised as tokenised_corpora
from core.corpora.joining import manifest_of
from core.corpora.source import LONGEST, Piece, Source
from core.corpora.tokenised import TokenisedCorpus, tokenised
from core.corpora.tokenising import Shard, tokenise
from core.errors import DataCorrupt, DataUnavailable, InvalidDocuments
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.sources import user_files
from core.text.corpus import Corpus, words_of
from core.text.stored_corpus import StoredCorpus
from tests.patience import PATIENCE

ALONE = Engine(workers=1)
_PACKED = gzip.compress(b"text\n" + b"".join(b"letter %d\n" % number for number in range(10_000)))
_DAMAGED = _PACKED[:500] + bytes(200) + _PACKED[700:]
_FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "home"))
    tokenised_corpora._verified.cache_clear()
    return tmp_path / "home"


def as_csv(path: Path, texts: list[str], owners: list[str]) -> Path:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["text", "who"], *zip(texts, owners, strict=True)])
    (path / "a.csv").write_bytes(stream.getvalue().encode())
    return path / "a.csv"


def as_tsv(path: Path, texts: list[str], owners: list[str]) -> Path:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter="\t").writerows([["who", "text"], *zip(owners, texts, strict=True)])
    (path / "a.tsv.gz").write_bytes(gzip.compress(stream.getvalue().encode()))
    return path / "a.tsv.gz"


def as_json(path: Path, texts: list[str], owners: list[str]) -> Path:
    rows = zip(texts, owners, strict=True)
    lines = "".join(json.dumps({"who": who, "more": [1], "text": text}) + "\n" for text, who in rows)
    (path / "a.jsonl").write_text(lines)
    return path / "a.jsonl"


def as_parquet(path: Path, texts: list[str], owners: list[str]) -> Path:
    pq.write_table(pa.table({"text": texts, "who": pa.array(owners).dictionary_encode()}), path / "a.parquet")
    return path / "a.parquet"


def as_folder(path: Path, texts: list[str], owners: list[str]) -> Path:
    for number, (text, owner) in enumerate(zip(texts, owners, strict=True)):
        (path / "folder" / owner).mkdir(parents=True, exist_ok=True)
        (path / "folder" / owner / f"{number:05}.txt").write_text(text)
    return path / "folder"


def same(corpus: TokenisedCorpus, texts: list[str]) -> None:
    """Compare with the same documents in memory, without those that have no word."""
    expected = Corpus.encode([text for text in texts if words_of(text)])
    from_disk = StoredCorpus.encoded(corpus, np.arange(corpus.documents))
    assert tuple(corpus.words.to_pylist()) == expected.words
    assert from_disk.words == expected.words
    assert np.array_equal(corpus.tokens, expected.tokens)
    assert np.array_equal(corpus.offsets, expected.offsets)


_WORDS = st.sampled_from(
    ["one", "Two", "three's", "ÜBER", "naïve", "İstanbul", "ΟΔΟΣ", "слово", "5", "x_1", "–", "日本"]
)
_TEXTS = st.lists(st.lists(_WORDS, max_size=6).map(" ".join) | st.text(max_size=20), min_size=1, max_size=30)


@given(texts=_TEXTS, size=st.integers(1, 200))
@_FIXTURES
def test_tokens_are_those_of_the_corpus_in_memory(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], size: int
) -> None:
    clean = [text.replace("\0", " ") for text in texts]
    path = tmp_path_factory.mktemp("texts")
    pq.write_table(pa.table({"text": pa.array(clean, pa.string())}), path / "a.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "PIECE", size)
        patch.setattr(parsing, "ROWS", 3)
        patch.setattr(tokenised_corpora, "PIECE", size)
        same(tokenised(Source(path / "a.parquet"), ALONE, Progress()), clean)


@pytest.mark.parametrize("write", [as_csv, as_tsv, as_json, as_parquet, as_folder])
def test_every_form_gives_the_same_corpus(
    tmp_path: Path, write: Callable[[Path, list[str], list[str]], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "PIECE", 500)
    monkeypatch.setattr(parsing, "ROWS", 7)
    monkeypatch.setattr(parsing, "BLOCK", 1000)
    texts = [f'Letter {"abcdefg"[number % 7]}, "from" the\nséa {"very " * (number % 5)}' for number in range(60)]
    texts[7] = "12 !"
    owners = [f"sailor {number // 20}" for number in range(60)]
    corpus = tokenised(Source(write(tmp_path, texts, owners), "text", "who"), ALONE, Progress())
    same(corpus, texts)
    assert [corpus.names[number] for number in corpus.owners] == [who for at, who in enumerate(owners) if at != 7]
    assert corpus.passed_over == {"too_long": 0, "no_text": 0, "without_words": 1}


def test_documents_that_are_no_text_or_too_long_are_passed_over_and_counted(tmp_path: Path) -> None:
    texts = ["one", "y" * (LONGEST + 1), "a\0b", "", "two " * 10, "…"]
    pq.write_table(pa.table({"text": texts}), tmp_path / "a.parquet")
    corpus = tokenised(Source(tmp_path / "a.parquet"), ALONE, Progress())
    assert corpus.passed_over == {"too_long": 1, "no_text": 1, "without_words": 2}
    same(corpus, ["one", "two " * 10])


def letters(path: Path, rows: int = 400) -> Source:
    texts = [f"letter {' '.join('abcdefghij'[int(digit)] * 3 for digit in str(number))}" for number in range(rows)]
    return Source(as_csv(path, texts, ["x"] * rows))


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_the_number_of_processes_changes_nothing(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PIECE", 1000)
    monkeypatch.setattr(parsing, "BLOCK", 1000)
    source = letters(tmp_path)
    one = content(tokenised(source, ALONE, Progress()).folder)
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "other"))
    assert content(tokenised(source, Engine(workers=2), Progress()).folder) == one
    assert not list((home / "temporary").iterdir())


@pytest.fixture
def tokenised_by_number(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    numbers: list[int] = []

    def noted(piece: Piece, folder: Path) -> None:
        numbers.append(piece.number)
        tokenise(piece, folder)

    monkeypatch.setattr(tokenised_corpora, "tokenise", noted)
    monkeypatch.setattr(sources, "PIECE", 1000)
    monkeypatch.setattr(parsing, "BLOCK", 1000)
    return numbers


def test_a_corpus_is_made_once_for_its_content(tmp_path: Path, tokenised_by_number: list[int]) -> None:
    source = letters(tmp_path)
    tokenised(source, ALONE, Progress())
    pieces = len(tokenised_by_number)
    assert pieces > 5
    os.utime(source.path, (1, 1))
    tokenised(source, ALONE, Progress())
    assert len(tokenised_by_number) == pieces
    source.path.write_bytes(source.path.read_bytes() + b"another letter,x\n")
    assert tokenised(source, ALONE, Progress()).documents == 401


def test_a_damaged_piece_is_tokenised_again(tmp_path: Path, home: Path, tokenised_by_number: list[int]) -> None:
    source = letters(tmp_path)

    class Stopped(Progress):
        def stage(self, name: str, total: int = 0, done: int = 0) -> None:
            if name.startswith("Joining"):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tokenised(source, ALONE, Stopped())
    whole = sorted(tokenised_by_number)
    (pieces,) = (home / "temporary").glob("corpus-*")
    damaged = sorted(pieces.iterdir())[3]
    flipped = bytearray(damaged.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    damaged.write_bytes(flipped)
    tokenised_by_number.clear()
    resumed = content(tokenised(source, ALONE, Progress()).folder)
    assert tokenised_by_number == [3]
    os.environ["TELLTALE_HOME"] = str(tmp_path / "other")
    tokenised_by_number.clear()
    assert content(tokenised(source, ALONE, Progress()).folder) == resumed
    assert sorted(tokenised_by_number) == whole


@pytest.mark.parametrize("name", ["tokens.int32", "offsets.int64", "ranks.int32", "words.arrow", "manifest.json"])
@pytest.mark.parametrize("cut", [False, True])
def test_a_damaged_corpus_is_set_aside_and_made_again(tmp_path: Path, name: str, cut: bool) -> None:
    source = letters(tmp_path)
    corpus = tokenised(source, ALONE, Progress())
    whole = content(corpus.folder)
    flipped = bytearray(whole[name])
    flipped[len(flipped) // 2] ^= 1
    (corpus.folder / name).write_bytes(whole[name][:-1] if cut else bytes(flipped))
    tokenised_corpora._verified.cache_clear()
    again = tokenised(source, ALONE, Progress())
    assert content(again.folder) == whole
    assert len(list(corpus.folder.parent.iterdir())) == 2


_KEEP = """
import sys
from pathlib import Path
from core.corpora import parsing, source
from core.corpora.tokenised import tokenised
from core.runtime.engine import Engine
from core.runtime.progress import Progress

if __name__ == "__main__":
    source.PIECE = 20_000
    parsing.BLOCK = 20_000
    print(tokenised(source.Source(Path(sys.argv[1])), Engine(workers=2), Progress()).folder)
"""


def pieces_below(home: Path) -> Iterator[Path]:
    return (home / "temporary").glob("corpus-*/*.shard")


def test_killed_and_resumed_gives_the_same_bytes(
    tmp_path: Path, home: Path, tokenised_by_number: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed in a process of its own, with helpers, and resumed in this one, without any."""
    script = tmp_path / "keep.py"
    script.write_text(_KEEP)
    source = letters(tmp_path, 40_000)
    command = [sys.executable, str(script), str(source.path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while sum(1 for _ in pieces_below(home)) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    done = {int(path.stem) for path in pieces_below(home)}
    assert len(done) >= 3
    monkeypatch.setattr(sources, "PIECE", 20_000)
    monkeypatch.setattr(parsing, "BLOCK", 20_000)
    resumed = content(tokenised(source, ALONE, Progress()).folder)
    assert tokenised_by_number and not done & set(tokenised_by_number), "what was done is not done again"
    rest = len(tokenised_by_number)
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "other"))
    assert content(tokenised(source, ALONE, Progress()).folder) == resumed
    assert len(tokenised_by_number) == rest + rest + len(done), "a fresh start does all of it"


@pytest.mark.parametrize(
    ("name", "written", "reason"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"who,texts\nx,y\n", "no column 'text'. Did you mean 'texts'"),
        ("a.csv", b"text,who\na,b,c\n", "Expected 2 columns"),
        ("a.csv", b"text\n\xff\xfe\n", "must be UTF-8"),
        ("a.csv", b'text\n"' + b"a" * 3000, "a row has more than 1,000 bytes, or a quotation mark is left open"),
        ("a.jsonl", b"letter\n", "is no object of JSON"),
        ("a.jsonl", b'{"texts": "a"}\n', "no column 'text'"),
        ("a.jsonl", b'{"text": "a"}\n{"text": 5}\n', "cannot be read: JSON parse error"),
        ("a.jsonl.gz", b"not gzip", "cannot be read"),
        ("a.csv.gz", gzip.compress(b"text\n" + b"letter\n" * 10_000)[:-30], "cannot be read"),
        ("a.csv.gz", _DAMAGED, "cannot be read"),
        ("a.jsonl", b'{"text": "\xe9t\xe9"}\n', "must be UTF-8"),
        ("a.parquet", b"PAR1 no", "cannot be read"),
    ],
)
def test_bad_tables_are_refused_with_the_reason(
    tmp_path: Path, name: str, written: bytes, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "BLOCK", 1000)
    (tmp_path / name).write_bytes(written)
    with pytest.raises(InvalidDocuments, match=reason):
        tokenised(Source(tmp_path / name), ALONE, Progress())


def test_a_file_that_changes_while_it_is_read_is_refused_and_the_old_one_is_read_as_it_was(tmp_path: Path) -> None:
    source = letters(tmp_path, 400)
    before = source.path.read_bytes()

    class Meddling(Progress):
        def stage(self, name: str, total: int | None = None, **more: Any) -> None:
            source.path.write_bytes(before + b"another word entirely,x\n")

    with pytest.raises(InvalidDocuments, match="changed while it was read"):
        tokenised(source, ALONE, Meddling())
    source.path.write_bytes(before)
    assert "entirely" not in tokenised(source, ALONE, Progress()).words.to_pylist()


def test_a_folder_and_the_only_one_below_it_are_two_sources(tmp_path: Path) -> None:
    alice = tmp_path / "mail" / "alice"
    alice.mkdir(parents=True)
    for number in range(30):
        (alice / f"{number}.txt").write_text("a letter")
    assert tokenised(Source(alice), ALONE, Progress()).names == []
    assert tokenised(Source(alice.parent), ALONE, Progress()).names == ["alice"]


@pytest.mark.parametrize("lost", ["manifest.json", "tokens.int32"])
def test_a_corpus_that_lacks_a_file_is_made_anew(tmp_path: Path, lost: str) -> None:
    source = letters(tmp_path, 100)
    corpus = tokenised(source, ALONE, Progress())
    before = content(corpus.folder)
    (corpus.folder / lost).unlink()
    tokenised_corpora._verified.cache_clear()  # as in a process that begins
    assert content(tokenised(source, ALONE, Progress()).folder) == before


def test_any_flipped_bit_of_a_piece_is_noticed(tmp_path: Path) -> None:
    tokenise(Piece(0, pa.array(["one two", "two"], pa.large_string()), None), tmp_path)
    (path,) = tmp_path.glob("*.shard")
    whole = path.read_bytes()
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1 << position % 8]) + whole[position + 1 :])
        assert Shard.load(path) is None


def test_large_text_files_are_neither_gathered_nor_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PIECE", 1000)
    folder = tmp_path / "mail"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text("a letter " * 100)
    (folder / "x.txt").write_text("long " * LONGEST)
    pieces = list(Source(folder).pieces())
    assert len(pieces) >= 3
    assert max(len(text) for piece in pieces for text in piece.texts.to_pylist()) < 5 * LONGEST
    corpus = tokenised(Source(folder), ALONE, Progress())
    assert (corpus.documents, corpus.passed_over["too_long"]) == (6, 1)


def test_owners_with_odd_names_are_kept(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(bytes(tmp_path / "mail") + b"/J\xe9r"))
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("a letter")
    assert tokenised(Source(tmp_path / "mail"), ALONE, Progress()).names == ["J\ufffdr"]


def test_what_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_files, "LARGEST", 1_000_000)
    same_text = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int32()), pa.array(["same " * 18_000]))
    pq.write_table(pa.table({"text": same_text}), tmp_path / "a.parquet", compression="zstd")
    with pytest.raises(InvalidDocuments, match="more than 100 times the bytes"):
        tokenised(Source(tmp_path / "a.parquet"), ALONE, Progress())


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("letter")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "below").symlink_to(tmp_path)
    assert [file.name for file in Source(folder).files()] == ["a.txt"]


def test_a_shard_is_whole_or_absent(tmp_path: Path) -> None:
    piece = Piece(0, pa.array(["one two", "two"], pa.large_string()), None)
    tokenise(piece, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["0000000.shard"]
    assert Shard.load(tmp_path / "0000000.shard") is not None
    assert Shard.load(tmp_path / "0000001.shard") is None


def test_the_command_counts_what_is_kept_and_what_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["one two", "two", "12", "y" * (LONGEST + 1)]
    pq.write_table(pa.table({"letter": texts}), tmp_path / "a.parquet")
    assert main(["data", "tokenise", str(tmp_path / "a.parquet"), "--text-column", "letter", "--workers", "1"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2 documents, 3 words, 2 different ones.",
        "Passed over: 1 with more than 131,072 characters, 0 with NUL characters, 1 without words.",
    ]


def test_another_machine_finds_the_corpus_by_its_content(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tokenised(letters(tmp_path), ALONE, Progress())
    expected = corpus.tokens.tobytes()
    shutil.copytree(home / "corpora", tmp_path / "elsewhere" / "corpora")
    (home / "corpora").rename(tmp_path / "not seen there")
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "elsewhere"))
    assert copy.copy(corpus).tokens.tobytes() == expected
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(DataUnavailable, match=r"machine .* has no .*Give each worker the folder 'corpora'"):
        len(copy.copy(corpus).tokens)


@pytest.mark.parametrize("copy", ["the same", "its own"])
def test_another_machine_checks_its_copy(
    tmp_path: Path, home: Path, copy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tokenised(letters(tmp_path), ALONE, Progress())
    sent = pickle.dumps(corpus)
    if copy == "its own":
        home.rename(tmp_path / "there")
        monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "there"))
    monkeypatch.setattr("platform.node", lambda: "worker-7")
    (tokens,) = tmp_path.glob("*/corpora/*/tokens.int32")
    tokens.write_bytes(tokens.read_bytes()[:-1] + b"\1")
    tokenised_corpora._verified.cache_clear()
    received = pickle.loads(sent)  # noqa: S301 - our own
    forwarded = pickle.loads(pickle.dumps(received))  # noqa: S301 - our own, from worker to worker
    for copied in (received, forwarded):
        with pytest.raises(DataCorrupt, match=r"on the machine worker-7 is damaged\. Copy it again"):
            len(copied.offsets)


def test_no_flipped_bit_of_a_manifest_changes_what_it_says(tmp_path: Path) -> None:
    corpus = tokenised(letters(tmp_path, 40), ALONE, Progress())
    path, manifest = corpus.folder / "manifest.json", corpus.manifest
    whole = path.read_bytes()
    for position in range(len(whole)):  # the lowest bit makes one digit of another
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        with suppress(DataCorrupt):
            assert manifest_of(corpus.folder) == manifest
