"""Membership through the next word: found where it is planted, at chance where nothing is in, and all is counted."""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from core.access import Access
from core.adversaries.own_sets import Sets
from core.adversaries.pairs.completion import VocabularyAdversary
from core.adversaries.pairs.shadows import ShadowModels
from core.attacks.next_word import NextWord
from core.datasets import Card, Dataset
from core.datasets.documents import Documents
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.defenses import Defense
from core.defenses.dp_sgd import DpSgd
from core.defenses.subsampling import Subsampling
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.models.word2vec import Word2vec
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.spec import parameter
from core.text.contents import Words
from tests.stand_ins import Withholding

if TYPE_CHECKING:
    from core.networks.private_steps import PrivateSteps

GAME = {"rules": "half", "users": "owners", "target_sizes": [10], "targets": 8, "plays": 4, "documents": 50}
MODEL = {
    "part": "lstm_lm",
    "dimension": 32,
    "layers": 1,
    "epochs": 14,
    "minimum_count": 1,
    "context": 12,
    "batch": 16,
    "learning_rate": 3e-2,
}
EMBEDDING = {"dimension": 16, "minimum_count": 2, "epochs": 15, "window": 3, "subsampling": 0}


class PublicWords(Dataset):
    """Words that are given."""

    title: ClassVar[str] = "public words"
    card: ClassVar[Card] = WikipediaExcerpt.card
    holds: ClassVar[type] = Words

    words: tuple[str, ...] = parameter((), "The words.")

    def load(self) -> Words:
        return Words(self.words)


def play(store: Store, dataset: Any, **changes: Any) -> Result:
    attack = {"part": "next_word", "shadow_pairs": 15, "embedding": EMBEDDING, **changes.pop("attack", {})}
    model, game = {**MODEL, **changes.pop("model", {})}, {**GAME, **changes.pop("game", {})}
    experiment = Experiment.parse({"attack": attack, "dataset": dataset, "model": model, "game": game, **changes})
    return run(experiment, RunContext(store=store))[0]


@pytest.mark.parametrize(
    ("model", "plays"),
    [
        pytest.param({"part": "lstm_lm"}, 4, id="lstm_lm"),
        pytest.param(
            {"part": "transformer_lm", "epochs": 12, "learning_rate": 3e-2},
            12,
            marks=pytest.mark.exhaustive,
            id="transformer_lm",
        ),
    ],
)
def test_a_planted_phrase_shows_in_the_next_word_alone(
    planted: Documents, model: dict[str, Any], plays: int, shared_store: Store
) -> None:
    """Either model is attacked with the same shadow embeddings, which the store keeps.

    The transformer learns less in so few epochs, so that more models are attacked.
    """
    estimates = play(shared_store, planted, model=model, game={"plays": plays}).estimates
    assert estimates["accuracy"].low > 0.5
    assert estimates["accuracy"].value > estimates["accuracy_all_pairs"].value
    assert estimates["recall_all_pairs"].value == 1, "of so many words any model completes some"
    assert estimates["queries_all_pairs"].value == 10 * 29
    assert estimates["queries"].value < estimates["queries_all_pairs"].value / 5
    assert estimates["perplexity_train"].value < estimates["perplexity_test"].value / 5


def test_what_was_asked_and_said_adds_up(planted: Documents, shared_store: Store) -> None:
    result = play(shared_store, planted, model={"epochs": 4}, attack={"dictionary": None})
    assert not [name for name in result.estimates if name.startswith("epsilon")], "bits are no coins of their own"
    pairs, contexts, verdicts = (result.tables[name] for name in ("pairs", "contexts", "verdicts"))
    assert verdicts.groupby("play")["member"].sum().eq(4).all()
    assert (verdicts["completed"] <= verdicts["asked"]).all()
    scores = result.tables["scores"].merge(verdicts, on=["target", "play"])
    assert ((scores["completed"] > 0) == scores["guess"]).all()
    assert np.allclose(scores["score"], scores["completed"] / scores["asked"].clip(lower=1))
    queries = pairs.groupby("target")["contexts"].sum()
    assert (queries == verdicts.groupby("target")["asked"].first()).all()
    assert result.estimates["queries"].value == pytest.approx(queries.mean())
    texts = planted.load().texts
    rows = result.tables["targets"].set_index("target")["documents"]
    for context in contexts.itertuples():
        words = texts[rows[context.target][context.document]].split()
        assert (words[context.place - 1], words[context.place]) == (context.before, context.word)
    shares = pd.concat([pairs[["completed_in", "completed_out"]], contexts[["completed_in", "completed_out"]]])
    assert (shares.isna() | ((shares >= 0) & (shares <= 1))).all(axis=None)


def test_targets_never_used_come_out_at_chance(planted: Documents, shared_store: Store) -> None:
    result = play(shared_store, planted, defenses=[Withholding()], model={"epochs": 2})
    for name in ("accuracy", "auc"):
        assert result.estimates[name].low <= 0.5 <= result.estimates[name].high


def test_what_is_decided_after_training_trains_nothing(planted: Documents, store: Store) -> None:
    few, two = {"epochs": 2}, {"plays": 2, "targets": 3}
    trained = play(store, planted, model=few, attack={"shadow_pairs": 5}, game=two).provenance.trainings
    assert trained == 2 * 2 + 2 * 5, "a pass of a language model counts as one, and so does a shadow embedding"
    for change in ({"distance": "l2"}, {"dictionary": "news_words"}):
        again = play(store, planted, model=few, attack={"shadow_pairs": 5, **change}, game=two)
        assert again.provenance.trainings == 0


def test_common_words_are_a_dictionary() -> None:
    with pytest.raises(InvalidSpec, match="holds Words is needed"):
        Experiment.preset("next_word", "demo", attack={"dictionary": "lee_news"})


def public_words(documents: Documents) -> PublicWords:
    """Return the words of some documents, as if they had been public before."""
    return PublicWords(words=tuple(sorted({word for text in documents.load().texts for word in text.split()})))


def test_private_training_reports_its_promise_and_an_audit_finds_no_more(
    planted: Documents, store: Store, private_steps: list["PrivateSteps"]
) -> None:
    estimates = play(
        store,
        planted,
        model={"dictionary": None, "epochs": 1, "batch": 24},
        attack={"shadow_pairs": 5},
        game={"rules": "independent", "targets": 8, "plays": 2, "documents": 60},
        defenses=[DpSgd(epsilon=1.0, vocabulary=public_words(planted))],
    ).estimates
    assert estimates["epsilon"].value == 1.0
    assert {steps.norm for steps in private_steps} == {DpSgd().norm}
    assert min(steps.noise for steps in private_steps) > 0.5
    assert estimates["epsilon_at_least"].value <= 1.0
    assert estimates["epsilon_at_least_full_text"].value <= 1.0
    assert estimates["auc"].low <= 0.5 <= estimates["auc"].high


@pytest.mark.exhaustive
def test_private_training_hides_the_phrase_and_an_audit_finds_less_than_is_promised(
    planted: Documents, store: Store
) -> None:
    """The test above plays such a game, and `test_private_next_word.py` tests the steps and their noise.

    `tests/statistics/test_privacy_audit.py` tests that the bound reaches what is promised and exceeds it rarely.
    """
    fair = {"rules": "independent", "targets": 16, "documents": 120}
    common = {"dictionary": None, "epochs": 3, "batch": 24, "learning_rate": 8e-2}
    by_epsilon = {
        epsilon: play(
            store,
            planted,
            model=common,
            attack={"shadow_pairs": 8},
            game=fair,
            defenses=[DpSgd(epsilon=epsilon, vocabulary=public_words(planted))],
        ).estimates
        for epsilon in (1e6, 1.0)
    }
    open_, private = by_epsilon[1e6], by_epsilon[1.0]
    assert open_["auc"].low > 0.5, "a million hides nothing here"
    assert private["auc"].low <= 0.5 <= private["auc"].high
    assert private["perplexity_test"].value > 2 * open_["perplexity_train"].value
    for epsilon, estimates in by_epsilon.items():
        assert estimates["epsilon"].value == epsilon
        assert estimates["epsilon_at_least"].value <= epsilon
    assert open_["epsilon_at_least_full_text"].value > 0.3
    assert private["epsilon_at_least_full_text"].value <= 1.0


def test_words_of_the_very_documents_are_not_public() -> None:
    private = [{"part": "dp_sgd"}]
    with pytest.raises(InvalidSpec, match=r"those of news_words come from lee_news itself\. Choose common_words"):
        Experiment.preset("next_word", "demo", dataset={"part": "lee_news"}, defenses=private)
    Experiment.preset("next_word", "demo", defenses=private)


def test_private_training_follows_one_recipe(planted: Documents, store: Store) -> None:
    with pytest.raises(Incompatible, match="Two defenses set the promise of training"):
        play(store, planted, defenses=[DpSgd(), DpSgd(epsilon=2.0)])


def test_without_a_known_pair_nothing_is_asked(planted: Documents, shared_store: Store) -> None:
    attack = {"shadow_pairs": 5, "embedding": {**EMBEDDING, "minimum_count": 10_000}}
    result = play(shared_store, planted, attack=attack)
    assert result.estimates["queries"].value == 0
    assert result.estimates["recall"].value == 0
    assert result.tables["pairs"].empty


@pytest.fixture
def jargon(tmp_path: Path) -> Documents:
    """Documents of 40 owners: common words, and in each owner's three words that nobody else writes."""
    rng = np.random.default_rng(0)
    rows = []
    for owner in range(40):
        jargon_words = [f"{prefix}{chr(97 + owner // 26)}{chr(97 + owner % 26)}" for prefix in ("lo", "mi", "nu")]
        for _ in range(12):
            text = [*rng.choice(["and", "but", "the", "who", "why"], 12), *jargon_words]
            rows.append({"text": " ".join(rng.permutation(text)), "owner": f"owner {owner}"})
    path = tmp_path / "jargon.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Documents(source=str(path), owner_column="owner")


def test_a_vocabulary_of_the_training_documents_gives_members_away_untrained(jargon: Documents, store: Store) -> None:
    few, attack, game = {"epochs": 1, "minimum_count": 5}, {"shadow_pairs": 5, "controls": True}, {"targets": 4}
    leaky = play(store, jargon, model=few, attack=attack, game=game)
    assert leaky.estimates["accuracy_vocabulary"].value == 1
    public = {"epochs": 1, "minimum_count": 0, "dictionary": public_words(jargon)}
    fixed = play(store, jargon, model=public, attack=attack, game=game).estimates["accuracy_vocabulary"]
    assert fixed.low <= 0.5 <= fixed.high, "a vocabulary that is the same for all tells nothing"


def test_a_rival_of_the_vocabulary_needs_a_language_model() -> None:
    rival = VocabularyAdversary("vocabulary", 5, texts=[[["a"]]], outside=[["b"]], sets=Sets(1, 0))
    with pytest.raises(TypeError, match="known words are those of a language model"):
        rival.answer(0, Access())


def test_shadow_embeddings_of_each_target_find_the_phrase_too(planted: Documents, shared_store: Store) -> None:
    alone = play(shared_store, planted, attack={"scheme": "per_target", "shadow_pairs": 8})
    assert alone.estimates["accuracy"].low > 0.5
    targets = alone.tables["targets"]["target"].nunique()
    assert NextWord(shadow_pairs=8, scheme="per_target").shadow_models(targets) == 16 * targets


def test_results_without_controls_or_shadow_models_of_each_target_keep_their_keys() -> None:
    assert not {"controls", "scheme"} & NextWord().identity().keys()
    assert NextWord(scheme="per_target").identity()["scheme"] == "per_target"
    assert NextWord(controls=True).identity()["controls"] is True


def test_it_needs_next_words() -> None:
    with pytest.raises(InvalidSpec, match="the likeliest next word"):
        Experiment.preset("next_word", "demo", model={"part": "word2vec"})
    with pytest.raises(InvalidSpec, match="the vector of any word"):
        Experiment.preset("word_pairs", "demo", model={"part": "lstm_lm"})


def test_shadow_embeddings_are_the_same_whether_private_training_is_known_or_not() -> None:
    def applied(adaptive: bool, *defenses: Defense) -> list[Defense]:
        briefing: Any = SimpleNamespace(defenses=defenses)
        return ShadowModels(briefing, Word2vec(), 5, "pool", "without_replacement", adaptive).defenses

    assert applied(True, DpSgd()) == applied(False, DpSgd()) == []
    assert applied(True, Subsampling()) == [Subsampling()] and applied(False, Subsampling()) == []
