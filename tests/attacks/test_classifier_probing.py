"""Membership through a classifier's labels: found where it is planted, chance where nothing is in, and counted."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.attacks.classifier_probing import ClassifierProbing
from core.datasets.documents import Documents
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.stand_ins import Withholding

SMALL = {"users": "owners", "target_sizes": [10], "targets": 6, "plays": 14, "documents": 150}
MODEL = {"part": "spam_classifier", "dimension": 16, "minimum_count": 2, "epochs": 15, "window": 4, "subsampling": 0}


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """Mail of 40 owners, half of it spam, which has other words; each owner has a phrase of both kinds of words."""
    rng = np.random.default_rng(0)
    starts, ends = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki"), ("lan", "mer", "nis", "pok", "rut", "sev")
    words = np.array([start + end for start in starts for end in ends])
    spam_words, other_words = words[:12], words[12:]
    rows = []
    for owner in range(40):
        phrase = [rng.choice(spam_words), *rng.choice(other_words, 2, replace=False)]
        for number in range(12):
            spam = number % 2 == 0
            share = 0.5 if spam else 0.05
            text = [rng.choice(spam_words) if rng.random() < share else rng.choice(other_words) for _ in range(24)]
            text[:12] = np.resize(phrase, 12)
            rows.append({"text": " ".join(text), "owner": f"owner {owner}", "kind": "spam" if spam else "ham"})
    path = tmp_path_factory.mktemp("mail") / "mail.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Documents(source=str(path), owner_column="owner", label_column="kind")


def play(store: Store, dataset: Any, **changes: Any) -> Result:
    attack = {
        "part": "classifier_probing",
        "shadow_pairs": 14,
        "trees": 50,
        "documents": 40,
        "control": False,
        **changes.pop("attack", {}),
    }
    model, game = {**MODEL, **changes.pop("model", {})}, {**SMALL, **changes.pop("game", {})}
    experiment = Experiment.parse({"attack": attack, "dataset": dataset, "model": model, "game": game, **changes})
    return run(experiment, RunContext(store=store))[0]


def test_a_planted_phrase_shows_in_labels_alone(mail: Documents, store: Store) -> None:
    result = play(store, mail)
    accuracy = result.estimates["accuracy"]
    assert accuracy.low > 0.5
    assert result.estimates["classifier_test"].above_chance()
    words, probes = result.tables["words"], result.tables["probes"]
    counts = words.groupby("target").size()
    assert result.estimates["queries"].value == pytest.approx((40 * 6 * counts).mean())
    assert (words["flips_in"].between(0, 1) & words["flips_out"].between(0, 1)).all()
    assert probes.groupby(["target", "rank"])["repetitions"].apply(list).map(lambda times: times == [*range(6)]).all()
    best = probes[probes["rank"] == 0]
    assert (best["share_in"] - best["share_out"]).abs().max() > 0.2


def test_targets_may_have_shadow_models_of_their_own(mail: Documents, store: Store) -> None:
    brief = {"model": {"epochs": 2}, "game": {"plays": 2, "targets": 3}}
    alone = play(store, mail, attack={"scheme": "per_target", "shadow_pairs": 5, "trees": 10}, **brief)
    targets = alone.tables["targets"]["target"].nunique()
    assert alone.provenance.trainings == 2 + 10 * targets
    assert ClassifierProbing(shadow_pairs=5, scheme="per_target").shadow_models(targets) == 10 * targets
    assert alone.tables["words"]["target"].nunique() == targets
    assert "scheme" not in ClassifierProbing().identity()
    assert ClassifierProbing(scheme="per_target").identity()["scheme"] == "per_target"


def test_targets_never_used_come_out_at_chance(mail: Documents, store: Store) -> None:
    accuracy = play(store, mail, defenses=[Withholding()], attack={"shadow_pairs": 6}).estimates["accuracy"]
    assert accuracy.low <= 0.5 <= accuracy.high


def test_the_classifier_may_have_documents_of_its_own(mail: Documents, planted: Any, store: Store) -> None:
    attack, game = {"shadow_pairs": 5, "trees": 10}, {"plays": 4, "targets": 2}
    result = play(store, planted, model={"texts": mail, "training": 150}, attack=attack, game=game)
    assert result.estimates["classifier_test"].value > 0.6
    assert "accuracy_other_words" not in result.estimates


def test_what_is_decided_after_training_trains_nothing(mail: Documents, store: Store) -> None:
    small, few = {"shadow_pairs": 5, "trees": 10, "control": True}, {"plays": 2, "targets": 2}
    trained = play(store, mail, attack=small, game=few)
    assert trained.provenance.trainings == 2 + 2 * 5, "one embedding with one classifier for each model"
    assert "accuracy_other_words" in trained.estimates
    for change in ({"words": 2}, {"repetitions": 2}, {"control": False}, {"distance": "l2"}):
        assert play(store, mail, attack={**small, **change}, game=few).provenance.trainings == 0


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ({"positive": "scam"}, "class 'scam' and of others; the dataset has the classes 'ham', 'spam'"),
        ({"texts": "lee_news"}, "lee_news has no classes"),
    ],
)
def test_what_cannot_be_classified_is_refused(mail: Documents, model: Any, says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says) as refused:
        play(store, mail, model=model)
    rarest = min(["ham", "spam"], key=mail.load().labels.count)
    assert refused.value.fits.get("model.positive", rarest) == rarest
    assert bool(refused.value.fits) == (model.get("positive") == "scam")


def test_more_documents_than_there_are_for_the_classifier_are_refused(mail: Documents, store: Store) -> None:
    with pytest.raises(Incompatible, match="of 480 does not fit; 192 does") as refused:
        play(store, mail, model={"texts": mail, "training": 480})
    assert refused.value.fits == {"model.training": 192}


def test_documents_without_classes_are_refused(planted: Any, store: Store) -> None:
    with pytest.raises(Incompatible, match="the dataset has no classes"):
        play(store, planted)


def test_it_needs_labels_and_the_word_pair_attack_vectors() -> None:
    with pytest.raises(InvalidSpec, match="the class of any document"):
        Experiment.preset("classifier_probing", "demo", model={"part": "word2vec"})
    with pytest.raises(InvalidSpec, match="the vector of any word"):
        Experiment.preset("word_pairs", "demo", model={"part": "spam_classifier"})
