"""Inversion by relaxation: its start, the course that it reports, and the access that it needs."""

import pickle

import numpy as np
import pytest
import torch

from core.access import SentenceEmbeddings
from core.attacks.inversion.relaxed_inversion import RelaxedInversion
from core.errors import Incompatible
from core.games.inversion.contract import Auxiliary
from core.models.encoder import Encoder
from core.runtime.store import Store
from tests.games.inversion.small_games import plain, play
from tests.stand_ins import Turning, context


def test_evidence_shortens_the_search(store: Store) -> None:
    usual = play(store, "relaxed", steps=6).estimates["f1"]
    begun = play(store, "relaxed", steps=6, start="evidence").estimates["f1"]
    assert begun.low > usual.high
    assert begun.value > 0.9


def test_it_tells_how_it_settled_on_texts_of_its_own() -> None:
    tables = plain("relaxed", False)[0].tables
    settling, choices = tables["settling"], tables["choices"]
    assert settling["steps"].iloc[-1] == 60
    assert settling["temperature"].iloc[-1] == pytest.approx(0.05)
    assert settling["mixed"].iloc[-1] < 0.05 < settling["mixed"].iloc[0]
    assert choices["left_out_f1"].item() > 0.9
    assert 5 < choices["places"].item() < 7.5


def test_who_adapts_asks_no_more_often(store: Store) -> None:
    assert play(store, "relaxed", steps=2, defenses=[Turning()]).estimates["queries"].value == 180


def test_another_sentence_searches_no_victim_again(store: Store) -> None:
    before = play(store, "relaxed", steps=2)
    after = play(store, "relaxed", steps=2, text="balan")
    assert after.provenance.trainings == 1
    assert after.estimates["f1"] == before.estimates["f1"]


def test_without_the_encoder_it_refuses(store: Store) -> None:
    closed = SentenceEmbeddings(
        np.zeros((0, 3), np.float32), lambda texts: np.zeros((len(texts), 3), np.float32), lambda embeddings: embeddings
    )
    with pytest.raises(Incompatible, match="needs embeddings of texts, and everything inside the encoder"):
        RelaxedInversion().prepare(Auxiliary(("a b",) * 50, defended=False, seed=1), closed, context(store))


def test_an_opened_encoder_gives_what_the_encoder_gives(store: Store) -> None:
    model = Encoder(max_tokens=64)
    text = ["the war began in the north of the city"]
    opened = model.open_encoder(context(store))
    assert len(pickle.dumps(opened)) < 1000, "other processes load it themselves"
    vectors = torch.from_numpy(opened.word_vectors(text[0].split()))[None].requires_grad_()
    embedding = opened.embed(vectors, torch.tensor([vectors.shape[1]]))
    np.testing.assert_allclose(embedding.detach().numpy(), model.encode(text, context(store)), atol=1e-4)
    (gradient,) = torch.autograd.grad(embedding.sum(), vectors)
    assert (gradient.abs().sum(dim=-1) > 0).all()
    np.testing.assert_array_equal(opened.encode([*text, "war"])[:1], model.encode(text, context(store)))
