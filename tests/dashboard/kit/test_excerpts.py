"""Sentences in which two words are adjacent: found as the attack counts them, and never downloaded."""

from pathlib import Path

import pandas as pd
import pytest
import streamlit as st

from core.datasets import documents
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from core.sources import reading
from core.text.corpus import words_of
from dashboard.kit.texts import excerpts, victim_texts


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("Gas, unit. The gas unit!", ["Gas, unit", "gas unit"]),
        ("unit 7 gas", ["unit 7 gas"]),
        ("gasunit gas units begas unit", []),
        ("gas\n\n\nunit", ["gas\n\n\nunit"]),
        ("", []),
    ],
)
def test_places_are_where_the_words_are_adjacent(text, matches):
    assert [passage[1] for passage in excerpts.passages(text, "gas", "unit")] == matches


def test_what_is_not_here_is_named():
    for subject in ("Texts", "Pairs of words"):
        assert excerpts.absent(subject).startswith(f"{subject} appear only where the dataset is on this machine;")


def test_what_is_around_is_cut_between_words():
    [(before, _, after)] = excerpts.passages("word " * 100 + "gas unit" + " word" * 100, "gas", "unit")
    assert before.startswith("… word") and after.endswith("word …")
    assert len(before) < 100 and set(words_of(before + after)) == {"word"}


def test_the_heaviest_pair_that_stands_in_its_documents_is_shown():
    experiment = Experiment.preset("word_pairs", "demo")
    first, second = words_of(experiment.dataset.load().texts[7])[:2]
    pairs = pd.DataFrame(
        [(0, 0, 0.0, first, second), (0, 1, -0.1, "no", "such"), (0, 2, -0.1, second, first)],
        columns=["target", "rank", "weight", "first", "second"],
    )
    targets = pd.DataFrame({"target": [0], "label": ["user 1"], "documents": [[7]]})
    excerpt = excerpts.heaviest(experiment, targets, pairs)
    assert excerpt is not None and (excerpt.label, excerpt.before) == ("user 1", "")
    assert words_of(excerpt.match) == [first, second], "in either order, and only where it has a weight"


def test_a_dataset_that_is_not_here_is_not_loaded(monkeypatch, tmp_path):
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path))
    monkeypatch.setattr(reading, "download", lambda *_, **__: pytest.fail("a page downloaded"))
    experiment = Experiment.preset("word_pairs", "demo", dataset={"part": "enron_spam"})
    assert excerpts.of(experiment, pd.DataFrame({"target": [0], "documents": [[0]]}), 0) is None


def test_documents_too_many_for_memory_are_read_once_and_not_quoted(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "many.csv"
    table.write_text("text\n" + "some words\n" * 30)
    experiment = Experiment.preset("word_pairs", "demo", dataset={"part": "documents", "source": str(table)})
    monkeypatch.setattr(documents, "MOST", 25)
    loads, captions, load = [], [], documents.Documents.load
    monkeypatch.setattr(documents.Documents, "load", lambda dataset: loads.append(dataset) or load(dataset))
    monkeypatch.setattr(st, "caption", captions.append)
    for _ in range(3):
        assert excerpts.of(experiment, pd.DataFrame({"target": [0], "documents": [[0]]}), 0) is None
    assert len(loads) == 1
    assert captions == ["The documents are too many to quote: their texts stay on disk."] * 3


def test_a_victims_excerpt_shows_the_keyword_that_its_text_has() -> None:
    demo = Experiment.preset("keyword_inference", "demo")
    result = Result.load(Store(), demo.key)
    assert result is not None
    guesses = result.tables["guesses"]
    about = guesses[(guesses["secret"] == "music") & (guesses["truth"] == "present")]
    texts = victim_texts.around(demo, guesses, "music")
    whole = victim_texts.of(demo, guesses)
    assert len(about) > 20 and all("music" in texts[row].casefold() for row in about["row"])
    assert any(len(texts[row]) < len(whole[row]) for row in about["row"]), "long ones are cut"
