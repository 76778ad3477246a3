"""Parsed documents are kept, verified, and made anew when damaged."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from core.sources.parsed import remembered
from core.text.contents import Documents

DOCUMENTS = Documents(("one\ntwo", "", "drei \x85 ß \U0001f600"), ("a", "b", "a"))
DATED = Documents(("a", "b"), dates=("1999-12-10", "2001-01-02"))
LABELLED = Documents(("one", "two"), labels=("", "c"))


class Parser:
    def __init__(self, documents: Documents) -> None:
        self.documents, self.calls = documents, 0

    def __call__(self) -> Documents:
        self.calls += 1
        return self.documents


@pytest.mark.parametrize("documents", [DOCUMENTS, Documents(("no", "owners")), Documents(()), LABELLED, DATED])
def test_the_second_load_parses_nothing(home: Path, documents: Documents) -> None:
    parse = Parser(documents)
    assert remembered("lee_news", parse) == documents
    assert remembered("lee_news", parse) == documents
    assert parse.calls == 1
    assert len(list((home / "documents").iterdir())) == 1


def test_a_flipped_byte_anywhere_is_noticed_and_made_good(home: Path) -> None:
    parse = Parser(DOCUMENTS)
    remembered("lee_news", parse)
    (path,) = (home / "documents").iterdir()
    content = path.read_bytes()
    positions = range(0, len(content), max(1, len(content) // 40))
    for position in positions:
        path.write_bytes(content[:position] + bytes([content[position] ^ 0x55]) + content[position + 1 :])
        assert remembered("lee_news", parse) == DOCUMENTS
        assert path.read_bytes() == content
    assert parse.calls == 1 + len(positions)
    assert len(list((home / "documents").glob("*.damaged"))) == 1


def test_a_truncated_file_is_made_anew(home: Path) -> None:
    remembered("lee_news", Parser(DOCUMENTS))
    (path,) = (home / "documents").iterdir()
    whole = path.read_bytes()
    for length in (0, 10, 64, 65, 80):
        path.write_bytes(whole[:length])
        assert remembered("lee_news", Parser(DOCUMENTS)) == DOCUMENTS
        assert path.read_bytes() == whole


def test_a_file_from_before_there_were_labels_is_read(home: Path) -> None:
    remembered("lee_news", Parser(DOCUMENTS))
    (path,) = (home / "documents").iterdir()
    packed = gzip.compress(json.dumps({"texts": ["a"], "owners": []}).encode())
    path.write_bytes(hashlib.sha256(packed).hexdigest().encode() + b"\n" + packed)
    parse = Parser(DOCUMENTS)
    assert remembered("lee_news", parse) == Documents(("a",))
    assert parse.calls == 0


def test_a_home_that_cannot_be_written_costs_time_only(home: Path) -> None:
    home.write_text("a file where the folder should be")
    parse = Parser(DOCUMENTS)
    assert remembered("lee_news", parse) == DOCUMENTS
    assert remembered("lee_news", parse) == DOCUMENTS
    assert parse.calls == 2
