"""Texts with classes from pinned tables: their known content, and files that are not what they should be."""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.datasets import cms_procedures, mtsamples, skytrax, wiki_split, yelp
from core.datasets.cms_procedures import CmsProcedures
from core.datasets.mtsamples import DEPARTMENTS, Mtsamples
from core.datasets.patterns import splice
from core.datasets.patterns.splice import Splice
from core.datasets.skytrax import Skytrax
from core.datasets.wiki_split import WikiSplit
from core.datasets.yelp import Yelp
from core.errors import DataCorrupt
from core.sources.tables import labelled, rows_of
from core.text.contents import Documents
from core.text.corpus import words_of
from tests.datasets.loopback import needs

MADE: dict[str, tuple[Any, str, Any]] = {
    "skytrax": (skytrax, "REVIEWS", Skytrax),
    "mtsamples": (mtsamples, "DESCRIPTIONS", Mtsamples),
    "cms_procedures": (cms_procedures, "RECORDS", CmsProcedures),
    "yelp": (yelp, "SENTENCES", Yelp),
    "splice": (splice, "SEQUENCES", Splice),
    "wiki_split": (wiki_split, "REWRITES", WikiSplit),
}
"""Each dataset that is read from files: its module, the name of its source there, and its class."""


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what loads a dataset from other bytes than the pinned ones, pinned anew or not."""

    def load(name: str, content: bytes, *, pinned: bool = True) -> Any:
        module, constant, dataset = MADE[name]
        source = getattr(module, constant)
        digest = hashlib.sha256(content).hexdigest()
        for file in source.pinned:
            path = tmp_path / source.name / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if pinned:
            files = tuple(replace(file, size=len(content), sha256=digest) for file in source.pinned)
            monkeypatch.setattr(module, constant, replace(source, pinned=files))
        monkeypatch.setenv("TELLTALE_DATA", str(tmp_path))
        return dataset().load()

    return load


def digest_of(documents: Documents) -> str:
    """Return what changes with any text, label or order."""
    return hashlib.sha256(repr((documents.texts, documents.labels)).encode()).hexdigest()[:16]


def naming(documents: Documents, keyword: str) -> int:
    return sum(keyword in words_of(text) for text in documents.texts)


def well_kept(documents: Documents) -> None:
    assert len(documents.labels) == len(documents)
    assert all(text == " ".join(text.split()) != "" for text in documents.texts)
    assert len({text.casefold() for text in documents.texts}) == len(documents)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("content", [b"", b"<html>Please sign in</html>", b"\0\1\2"])
def test_bytes_that_are_not_the_pinned_ones(given: Callable[..., Any], name: str, content: bytes) -> None:
    with pytest.raises(DataCorrupt, match="is not the pinned file"):
        given(name, content, pinned=False)


HEADERS = {
    "skytrax": b"author,content,recommended\n",
    "mtsamples": b"0,description,medical_specialty\n",
    "cms_procedures": b"npi\tprovider_type\thcpcs_description\n",
    "yelp": b"",
    "splice": b"",
    "wiki_split": b"",
}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        *((name, header + b"caf\xe9,x,1\n", "must be UTF-8") for name, header in HEADERS.items()),
        *((name, header, "holds no (texts|sentences)") for name, header in HEADERS.items()),
        *((name, header + b"\n \n"[: 1 if header else 3], "holds no") for name, header in HEADERS.items()),
        *((name, b"", "has no column") for name, header in HEADERS.items() if header),
        ("skytrax", b"author,contents,recommended\n", "no column 'content'. Did you mean 'contents'"),
        ("skytrax", HEADERS["skytrax"] + b"A,To London.\n", "Line 2 of skytrax has 2 fields, not 3"),
        ("skytrax", HEADERS["skytrax"] + b"A,To London.,yes\n", "must be 0 or 1. It is 'yes'"),
        ("skytrax", HEADERS["skytrax"] + b'A,"To London.,1\n', "cannot be read"),
        ("cms_procedures", HEADERS["cms_procedures"].replace(b"\t", b","), "no column 'hcpcs_description'"),
        ("splice", b"EI,x," + b"A" * 59, "Line 1 of splice must be a class .EI, IE, N., a name and 60 letters"),
        ("splice", b"\nXX,x," + b"A" * 60, "Line 2 of splice"),
        ("splice", b"EI," + b"A" * 60, "Line 1 of splice"),
        ("splice", b"N,x," + b"R" * 60, "holds no texts"),
        ("wiki_split", b"a b .\ta . <::::> b . <::::> c .\n", "Line 1 of test.tsv must be a sentence, a tab"),
        ("wiki_split", b"a b .\ta . <::::> b .\nno tab", "Line 2 of test.tsv"),
        ("wiki_split", b"a b .\ta . <::::> \n", "holds no sentences"),
    ],
)
def test_a_file_of_another_form_is_refused(given: Callable[..., Any], name: str, content: bytes, reason: str) -> None:
    with pytest.raises(DataCorrupt, match=reason):
        given(name, content)


def test_a_text_counts_once_and_contradictions_go() -> None:
    rows = [(" A\n b", "x"), ("", "x"), ("c.", "y"), ("a B.", "x"), ("C", "z"), (" .", "x"), ("d", "")]
    documents = labelled("table", rows)
    assert documents == Documents(("A b", "d"), labels=("x", ""))


def test_columns_are_found_by_name_and_blank_lines_passed_over() -> None:
    content = '\ufeffwho,text\nx,"one\n, two"\n\ny,"thr""ee"\n'.encode()
    assert rows_of("table", content, ("text",)) == [("one\n, two",), ('thr"ee',)]
    assert rows_of("table", content, ("text", "who"))[1] == ('thr"ee', "y")


def test_sentences_end_where_the_next_begins(given: Callable[..., Any]) -> None:
    review = (
        'Flew to London. ""Great!"" 3.5 hours (to PARIS!) 2 of us liked Dubai\nno Londoner. See Rome (via Dublin). ok'
    )
    loaded = given("skytrax", HEADERS["skytrax"] + f'Ann,"{review}",0\n'.encode())
    assert loaded.texts == (
        "Flew to London.",
        "3.5 hours (to PARIS!)",
        "2 of us liked Dubai",
        "See Rome (via Dublin). ok",
    )
    assert set(loaded.labels) == {"not recommended"}


def test_whole_reviews_are_taken_where_these_are_chosen(given: Callable[..., Any]) -> None:
    content = HEADERS["skytrax"] + b'Ann,"To London. Fine!",1\nBob,No city.,0\n'
    assert given("skytrax", content).texts == ("To London.",)
    loaded = Skytrax(taken="reviews").load()
    assert loaded == Documents(("To London. Fine!", "No city."), labels=("recommended", "not recommended"))
    assert len({Skytrax().key, Skytrax(taken="reviews").key}) == 2


def test_a_procedure_has_the_type_that_most_of_its_records_have(given: Callable[..., Any]) -> None:
    records = ["Eye exam,B", "Eye exam,A", "Knee x-ray,A", "Knee x-ray,B", "Knee x-ray,B", "Cast,A"]
    lines = [b"1\t%s\t%s" % tuple(reversed(record.encode().split(b","))) for record in records]
    loaded = given("cms_procedures", HEADERS["cms_procedures"] + b"\n".join(lines))
    assert loaded == Documents(("Eye exam", "Knee x-ray", "Cast"), labels=("B", "B", "A"))


@needs("skytrax")
def test_airline_reviews(real_home: Path) -> None:
    loaded = Skytrax().load()
    well_kept(loaded)
    assert digest_of(loaded) == "fb36f2f2c5f0aa80", "raise the dataset's version when its documents change"
    assert Counter(loaded.labels) == {"recommended": 405, "not recommended": 359}
    counts = [naming(loaded, keyword) for keyword in Skytrax.keywords]
    assert counts == [178, 91, 83, 81, 74, 73, 72, 71, 62, 54]
    assert 14 < sum(len(text.split()) for text in loaded.texts) / len(loaded) < 16
    assert "Stephen D'Arcy" not in "".join(loaded.texts)


@needs("mtsamples")
def test_medical_transcriptions(real_home: Path) -> None:
    loaded = Mtsamples().load()
    well_kept(loaded)
    assert digest_of(loaded) == "71480aeba61e10bb", "raise the dataset's version when its documents change"
    counted = Counter(loaded.labels)
    assert [counted[name] for name in DEPARTMENTS] == [901, 221, 140, 64, 45, 38, 36, 24, 21, 17]
    assert counted[""] == 308
    assert set(counted) == {*DEPARTMENTS, ""}
    counts = [naming(loaded, keyword) for keyword in Mtsamples.keywords]
    assert counts == [63, 44, 42, 40, 39, 38, 37, 30, 29, 27]


@needs("cms_procedures")
def test_procedures_name_no_physician(real_home: Path) -> None:
    loaded = CmsProcedures().load()
    well_kept(loaded)
    assert digest_of(loaded) == "8185f8072c892c7c", "raise the dataset's version when its documents change"
    assert len(loaded) == 1_203
    assert loaded.owners == ()
    assert max(len(text) for text in loaded.texts) <= 28
    counted = Counter(label for label in loaded.labels if label)
    assert len(counted) == 10
    assert counted.most_common(2) == [("Diagnostic Radiology", 197), ("Anesthesiology", 81)]
    counts = [naming(loaded, keyword) for keyword in CmsProcedures.keywords]
    assert counts == [29, 20, 17, 17, 15, 12, 12, 11, 11, 10]


@needs("yelp")
def test_restaurant_reviews(real_home: Path) -> None:
    loaded = Yelp().load()
    well_kept(loaded)
    assert digest_of(loaded) == "8505d2b980511fd0", "raise the dataset's version when its documents change"
    assert Counter(loaded.labels) == {"positive": 98_676, "negative": 69_604}
    # Pan et al. take 2,000 sentences with this word from the full collection.
    assert naming(loaded, "salad") == 935


@needs("wiki_split")
def test_neighbouring_sentences(real_home: Path) -> None:
    loaded = WikiSplit().load()
    pairs = [tuple(text.split("\n")) for text in loaded.texts]
    assert len(loaded) == len(set(pairs)) == 14_985 and {len(pair) for pair in pairs} == {2}
    digest = hashlib.sha256(repr(tuple(zip(*pairs, strict=True))).encode()).hexdigest()[:16]
    assert digest == "8a73483d350c875d", "raise the dataset's version when its pairs change"
    assert all(one and other and one != other for one, other in pairs)
    assert all("<::::>" not in text == " ".join(text.split()) for pair in pairs for text in pair)
