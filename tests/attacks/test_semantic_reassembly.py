"""Words that an embedding keeps come first; where it keeps nothing, no ranking beats frequency."""

from typing import Any, ClassVar

import numpy as np
import pytest

from core.attacks.semantic_reassembly import SemanticReassembly
from core.datasets import Dataset
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games.reassembly.contract import Answer
from core.games.reassembly.score import Scorer, presence
from core.result import Result
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.text.contents import Documents
from tests.stand_ins import CARD, Constant, Drowning, Noise, Sentences, Turning, WordBag, context

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki")
MANY = tuple(start + middle + "lan" for start in SYLLABLES for middle in SYLLABLES)


class Prose(Dataset):
    """Texts of two sentences each."""

    title: ClassVar[str] = "prose"
    card: ClassVar[Any] = CARD

    def load(self) -> Documents:
        rng = generator(0, "prose")
        halves = [" ".join(rng.choice(MANY, 5)).capitalize() for _ in range(400)]
        return Documents(tuple(f"{first}. {last}!" for first, last in zip(halves[::2], halves[1::2], strict=True)))


def play(store: Store, model: Any, dataset: Any = None, game: Any = None, defenses: Any = (), **attack: Any) -> Result:
    return run(
        Experiment(
            attack=SemanticReassembly(**{"candidates": 30, "substitutions": 1, **attack}),
            dataset=dataset or Sentences(count=300, share=0, words=MANY),
            model=model,
            defenses=defenses,
            game={"shadow_share": 0.3, "victims": 50, **(game or {})},
        ),
        context(store),
    )[0]


@pytest.fixture(scope="module")
def plain(shared_store: Store) -> Result:
    """A game without a defense."""
    return play(shared_store, WordBag(dimension=160))


@pytest.mark.parametrize("classifier", ["svm", pytest.param("mlp", marks=pytest.mark.exhaustive)])
def test_words_that_the_embedding_keeps_come_first(shared_store: Store, classifier: str) -> None:
    result = play(shared_store, WordBag(dimension=160), classifier=classifier)
    recall = result.estimates["recall_at_10"]
    assert recall.low > recall.chance
    assert recall.value > 0.8
    assert result.estimates["average_precision"].above_chance()
    assert recall.decisions == 50
    assert result.tables["candidates"]["auc"].mean() > 0.8


@pytest.mark.parametrize("model", [Noise(), pytest.param(Constant(), marks=pytest.mark.exhaustive)])
def test_an_embedding_that_says_nothing_leaves_chance(store: Store, model: Any) -> None:
    """One vector for all texts is exhaustive: noise shows it too, and the prior is told apart behind such a vector."""
    recall = play(store, model).estimates["recall_at_10"]
    assert recall.low <= 1 / 3
    assert recall.value < 0.45


def test_ranking_by_frequency_and_at_random_stand_beside_it(plain: Result) -> None:
    rankings = plain.tables["rankings"].set_index(["variant", "measure"])["value"]
    assert rankings["frequency", "recall_at_10"] == plain.estimates["recall_at_10"].chance
    assert rankings["semantic_reassembly", "recall_at_10"] == plain.estimates["recall_at_10"].value
    assert abs(rankings["random", "recall_at_10"] - 1 / 3) < 0.12


def test_the_top_ten_are_kept_without_the_text(plain: Result) -> None:
    words = plain.tables["words"]
    texts = Sentences(count=300, share=0, words=MANY).load().texts
    assert (words.groupby("victim").size() == 10).all()
    assert (words["sentence"] == -1).all()
    for row in words.itertuples():
        assert row.present == (row.word in texts[row.row].split())
    for _, victim in words.groupby("victim"):
        assert victim["probability"].is_monotonic_decreasing
        assert victim["present"].sum() <= victim["findable"].iloc[0]
    assert (words["findable"] > 0).all(), "a text without any candidate is no victim"


def test_texts_may_be_cut_into_sentences(store: Store) -> None:
    few = {"candidates": 12, "texts": 40}
    result = play(store, WordBag(dimension=160), Prose(), {"pieces": "sentences", "victims": 100}, **few)
    words = result.tables["words"]
    assert set(words["sentence"]) == {0, 1}
    texts = Prose().load().texts
    present = words[words["present"]]
    for row in present.itertuples():
        assert row.word in texts[row.row].lower().split(". ")[row.sentence]


def test_a_prior_puts_frequent_words_first_where_nothing_else_is_known(store: Store) -> None:
    dataset = Sentences(count=300, share=0.6, words=MANY)
    words = ("london", *MANY[:19])
    plain = play(store, Constant(), dataset, words=words, texts=30).tables["candidates"].set_index("word")
    prior = play(store, Constant(), dataset, words=words, texts=30, prior=True).tables["candidates"].set_index("word")
    assert prior.loc["london", "top"] == 1
    assert plain.loc["london", "share"] > 0.4


def test_the_adversary_chooses_frequent_words_that_mean_something() -> None:
    attack = SemanticReassembly(candidates=2)
    assert attack.choose(["The knee and the hip", "a knee, a toe", "the toe or THE KNEE"]) == ("knee", "toe")
    with pytest.raises(Incompatible, match="1 words to choose from"):
        attack.choose(["the knee"])


@pytest.mark.parametrize("words", [("a",), ("knee", "KNEE")])
def test_candidates_must_differ(words: tuple[str, ...]) -> None:
    with pytest.raises(Incompatible, match="two different candidates"):
        SemanticReassembly(words=words).choose(["any text"])


def test_words_that_stand_nowhere_are_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="0 of 210 texts have one of the 2 candidates"):
        play(store, WordBag(), words=("nowhere", "never"))


@pytest.mark.exhaustive
def test_a_defense_that_leaves_nothing_leaves_chance(store: Store) -> None:
    """Noise in the place of embeddings shows it above; that the attack plays behind a defense, the next test."""
    estimates = play(store, WordBag(dimension=160), defenses=[Drowning()]).estimates
    for name in ("recall_at_10", "recall_at_10_naive"):
        assert estimates[name].low <= 1 / 3


def test_an_adversary_who_knows_the_defense_ranks_behind_it(store: Store) -> None:
    result = play(store, WordBag(dimension=160), defenses=[Turning()], texts=50)
    assert result.estimates["recall_at_10"].above_chance()
    assert result.estimates["recall_at_10"].low > result.estimates["recall_at_10_naive"].high
    assert set(result.tables["rankings"]["variant"]) == {"semantic_reassembly", "naive", "frequency", "random"}


@pytest.mark.parametrize("defense", ["rounding", "laplace", "adversarial_mapping", "subspace_projection"])
def test_every_defense_of_embeddings_can_be_tried(defense: str) -> None:
    assert Experiment.preset("semantic_reassembly", "demo", defenses=[defense]).defenses


def test_an_attack_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="plays the game"):
        Experiment.parse(
            {"attack": "semantic_reassembly", "dataset": "lee_news", "model": "encoder", "game": {"part": "inference"}}
        )


def test_scores_are_those_counted_by_hand() -> None:
    words = tuple("abcdefghijkl")
    present = np.zeros((2, 12), np.bool_)
    present[0, [0, 11]], present[1, 1] = True, True
    probabilities = np.tile(np.linspace(1, 0, 12, dtype=np.float32), (2, 1))
    origins = np.zeros(2, np.int64)
    estimates = Scorer(words, np.ones(12), present, origins, origins, 1).estimates(Answer(probabilities))
    assert estimates["recall_at_10"].value == pytest.approx((1 / 2 + 1) / 2)
    assert estimates["precision_at_10"].value == pytest.approx(0.1)
    assert estimates["average_precision"].value == pytest.approx(((1 + 2 / 12) / 2 + 1 / 2) / 2)
    assert estimates["recall_at_10"].chance == 0.75
    equal = Scorer(words, np.ones(12), present, origins, origins, 1).estimates(Answer(np.ones((2, 12), np.float32)))
    assert equal["recall_at_10"].value == 0, "of words thought equally likely, those that are not there come first"


def test_a_word_is_present_on_its_own_only() -> None:
    assert presence(["Kneecap", "a KNEE!"], ["knee", "a"]).tolist() == [[False, False], [True, True]]
