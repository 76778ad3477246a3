"""Encoders told apart: accuracy, mistakes, clusters."""

import pytest

from core.encoders.records import RECORDS
from core.games.fingerprint import maps
from core.games.fingerprint.score import SCHEMAS
from core.registry import part
from core.result import table
from dashboard.topics.encoders import known
from dashboard.topics.encoders.figures import fingerprint
from tests.dashboard import samples
from tests.dashboard.embedding_results import fingerprint as made


@pytest.fixture(scope="module")
def result():
    return made()[1]


def test_each_encoder_has_a_point_beside_chance(result):
    figure = fingerprint.accuracy(result.tables["encoders"], result.estimates)
    assert len(figure.data[0].x) == 7
    assert samples.has_chance(figure)
    sentence = fingerprint.sentence(result.tables["encoders"], result.estimates)
    assert (
        "predicted correctly for 98%" in sentence
        and "chance among 7 is 14%" in sentence
        and "dimension alone gives 29%" in sentence
    )


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["small_bert, mean", "small_bert, last"], " The 2 “encoders” are one network, Small BERT, with its tokens"),
        (["small_bert, mean", "gpt2", "small_bert, last"], " 2 of the encoders are one network, Small BERT, with"),
        (["small_bert", "gpt2"], ""),
    ],
)
def test_poolings_of_one_network_are_called_so(result, labels, says):
    encoders = result.tables["encoders"].head(len(labels)).assign(encoder=labels)
    assert fingerprint.poolings(encoders).startswith(says) and (says or not fingerprint.poolings(encoders))
    assert says in fingerprint.sentence(encoders, result.estimates)


def test_what_the_adversary_is_given_does_not_name_the_encoder():
    attack = part("attack", "encoder_fingerprint")()
    assert attack.returned() == "the embedding of any text by each candidate encoder"


def test_the_right_cells_are_of_another_colour_than_the_wrong(result):
    confusion = result.tables["confusion"]
    figure = fingerprint.confusion(confusion)
    assert len(figure.layout.shapes) == 49
    assert len({shape.fillcolor[:7] for shape in figure.layout.shapes}) == 2
    written = next(trace for trace in figure.data if trace.mode == "text").text
    assert max(map(len, written)) <= len("100%") and figure.layout.xaxis.tickangle == -90, "no cell runs into the next"
    sentence = fingerprint.confused(confusion)
    assert "predicted as" in sentence and "mistake" in sentence


def test_encoders_bear_their_titles_and_own_ones_their_names():
    rows = [
        {
            "truth": truth,
            "guess": guess,
            "share": float(truth == guess),
            "victims": 5 * (truth == guess or guess == "gpt2"),
        }
        for truth in ("small_bert, last", "gpt2", "my/own")
        for guess in ("small_bert, last", "gpt2", "my/own")
    ]
    confusion = table(SCHEMAS["confusion"], rows)
    figure = fingerprint.confusion(confusion)
    assert [*figure.layout.xaxis.ticktext] == ["Small BERT, last", "GPT-2", "my/own"]
    assert "Small BERT, last predicted as GPT-2" in fingerprint.confused(confusion)


def test_no_mistake_is_said(result):
    confusion = result.tables["confusion"]
    assert "on the diagonal" in fingerprint.confused(confusion[confusion["truth"] == confusion["guess"]])


def test_maps_of_one_length_at_a_time_mark_what_was_mistaken(result):
    coordinates = result.tables["map"]
    assert fingerprint.dimensions(coordinates) == [768, 1024]
    points = fingerprint.of(coordinates, "hidden", "pca", 768)
    figure = fingerprint.clusters(points, "pca")
    assert len(figure.data) == points["encoder"].nunique() == 5
    marked = sum(width > 2 for trace in figure.data for width in trace.marker.line.width)
    assert marked == int((points["encoder"] != points["guess"]).sum())
    assert "nearest neighbour comes from the same encoder" in fingerprint.apart(coordinates, "umap", 768)


def test_a_result_without_maps_is_said():
    coordinates = table(maps.SCHEMA, [])
    assert fingerprint.dimensions(coordinates) == []
    assert "Too few" in samples.texts(fingerprint.clusters(coordinates, "pca"))[-1]
    assert "Too few" in fingerprint.apart(coordinates, "pca", 768)


def test_an_encoder_that_is_missing_says_how_it_is_made(monkeypatch):
    shown = {}
    monkeypatch.setattr(known, "locate", lambda name: None)
    monkeypatch.setattr(known.panels, "table", lambda frame, *_, **__: shown.update(frame.set_index("name").T))
    known.show()
    assert shown["untrained_bert"]["here"] == "not made yet", "it is never trained"
    assert shown["untrained_bert"]["made by"] == RECORDS["untrained_bert"].command
    assert shown["minilm"]["here"] == "no, a run fetches it" and not shown["minilm"]["made by"]
