"""The numbers of source texts and of victims that the adversary of keyword inference uses are those requested."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.attacks.keyword_inference import KeywordInference
from core.defenses.laplace import Laplace
from core.errors import InvalidSpec
from core.games.embedding_defenses import Release
from core.games.inference import Inference
from core.networks import domain_adversarial
from core.networks.perceptron import Perceptron
from core.runtime.store import Store
from tests.stand_ins import Sentences, WordBag, context

REVIEWS = Sentences(stream=1, count=300, share=0.0)
GAME = Inference(shadow_share=0.5, victims=50)
BLACK = {"knowledge": "black_box", "classifier": "dann", "external": REVIEWS, "texts": 30, "epochs": 1}


def play(store: Store, **attack: Any) -> tuple[Any, Any]:
    parsed = KeywordInference.parse({"rivals": False, **attack})
    return GAME.play(Sentences(), WordBag(), (), parsed, 1, context(store))


@pytest.mark.parametrize(("box", "held"), [({"classifier": "svm"}, 200), ({**BLACK, "classifier": "svm"}, 300)])
def test_the_number_of_source_texts_is_respected_in_either_box(box: dict[str, Any], held: int, store: Store) -> None:
    """Each text becomes two, one with the keyword and one without."""
    queries = {texts: play(store, **{**box, "texts": texts})[0]["queries"].value for texts in (10, 50, 2000)}
    assert queries == {10: 20, 50: 100, 2000: 2 * held}


@pytest.mark.parametrize(("aligned", "seen"), [(2, 2), (7, 7), (100, 100), (100_000, 100)])
def test_the_dann_sees_as_many_victims(aligned: int, seen: int, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    train = domain_adversarial.train

    def watched(inputs: Any, truth: Any, victims: Any, **settings: Any) -> Iterator[Perceptron]:
        shown.append(victims)
        return train(inputs, truth, victims, **settings)

    monkeypatch.setattr(domain_adversarial, "train", watched)
    estimates, _ = play(store, aligned=aligned, **BLACK)
    (victims,) = shown
    assert len(victims) == seen
    assert len(np.unique(victims, axis=0)) == seen, "none of them twice"
    assert estimates["accuracy"].decisions == 100, "all are read, whoever is seen"


def test_behind_a_defense_the_dann_sees_released_embeddings_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside them stand texts of the adversary's own, on which it chooses how to prepare."""
    shown, released = [], []
    train, access = domain_adversarial.train, Release.access

    def watched(inputs: Any, truth: Any, victims: Any, **settings: Any) -> Iterator[Perceptron]:
        shown.append(victims)
        return train(inputs, truth, victims, **settings)

    def kept(*arguments: Any, **opened: Any) -> Any:
        released.append(access(*arguments, **opened))
        return released[-1]

    monkeypatch.setattr(domain_adversarial, "train", watched)
    monkeypatch.setattr(Release, "access", kept)
    attack = KeywordInference.parse({**BLACK, "rivals": False})
    GAME.play(Sentences(), WordBag(), (Laplace(epsilon=100.0),), attack, 1, context(store))
    (victims,) = (each.victims for each in released)
    assert len(shown) == 2, "the adaptive adversary and the naive one"
    for seen in shown:
        assert np.array_equal(np.sort(seen, axis=0), np.sort(victims, axis=0))


def test_each_number_has_results_of_its_own(store: Store) -> None:
    used = {
        name: play(store, **{**BLACK, **fields})[1]["guesses"]
        for name, fields in {
            "all": {},
            "few": {"aligned": 2},
            "again": {"aligned": 2},
        }.items()
    }
    assert used["few"].equals(used["again"])
    assert not used["few"].equals(used["all"])


@pytest.mark.parametrize(("field", "value"), [("aligned", 1), ("aligned", 100_001), ("texts", 9), ("texts", 100_001)])
def test_numbers_without_sense_are_refused(field: str, value: int) -> None:
    with pytest.raises(InvalidSpec, match=f"'{field}'"):
        KeywordInference.parse({field: value})
