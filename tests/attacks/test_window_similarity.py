"""Windows are drawn so that nothing but their vectors tells, and their similarity is what the paper says."""

from typing import Any

import numpy as np
import pytest

from core.access import WordNetworks, WordVectors
from core.attacks.classifier_probing import ClassifierProbing
from core.attacks.window_similarity import WindowSimilarity
from core.errors import InvalidSpec
from core.experiment import Experiment, misfit, run
from core.games.example_membership.contract import Examples, Population, Revealed
from core.models.fasttext import FastText
from core.models.glove import Glove
from core.models.spam_classifier import SpamClassifier
from core.models.word2vec import Word2vec
from core.networks.word_embedding import Embedding, Network
from core.runtime.store import Store
from core.text.contents import Documents
from tests.stand_ins import Phrases, context

ATTACK = WindowSimilarity(window=1)
NOBODY = Revealed(Documents(()), np.empty(0, np.bool_))
WORDS = ("north", "east", "both", "west")
VECTORS = np.array([[0, 2], [1, 0], [3, 3], [-1, 0]], np.float32)


def about(*windows: str) -> Examples:
    texts = tuple(tuple(window.split()) for window in windows)
    rows = np.arange(len(texts))
    return Examples(rows, rows, texts, ("all",), 0 * rows, rows[:1], rows[:1], -1.0 * rows)


def test_the_statistic_is_the_mean_cosine_with_the_word_in_the_middle() -> None:
    access = WordVectors(Embedding(WORDS, VECTORS))
    statistics = ATTACK.observe(about("north east west", "north both east", "east east east"), access, NOBODY)
    assert list(statistics) == ["cosine"]
    assert statistics["cosine"] == pytest.approx([-0.5, 1 / np.sqrt(2), 1.0])
    assert access.queries == 4, "each word once"


def test_with_the_network_outputs_meet_inputs_and_the_cosine_stands_beside() -> None:
    inputs, outputs = VECTORS, np.array([[1, 0], [0, 1], [2, 0], [0, 0]], np.float32)
    access = WordNetworks(Network(WORDS, VECTORS, inputs, outputs))
    attack = ATTACK.replace(similarity="inner_output")
    statistics = attack.observe(about("north both east", "east north both"), access, NOBODY)
    assert list(statistics) == ["inner_output", "cosine"]
    assert statistics["inner_output"] == pytest.approx([(0 + 2) / 2, (1 + 3) / 2])
    assert statistics["cosine"] == pytest.approx([1 / np.sqrt(2), (0 + 1 / np.sqrt(2)) / 2])


@pytest.mark.parametrize("model", [Word2vec, FastText, Glove])
def test_each_learner_of_words_gives_vectors_or_the_network(model: Any) -> None:
    for similarity in ("cosine", "inner_output"):
        assert misfit(WindowSimilarity(similarity=similarity), model) == ""


def test_an_error_lists_no_access_that_another_listed_one_includes() -> None:
    assert misfit(ClassifierProbing, Word2vec).endswith(
        "word2vec offers the vector of any word, and its vector as context."
    )


def test_a_classifier_gives_neither() -> None:
    assert "needs the vector of any word. " in misfit(WindowSimilarity, SpamClassifier)
    with pytest.raises(InvalidSpec, match="needs the vector of any word, and its vector as context"):
        Experiment.parse(
            {"attack": ATTACK.replace(similarity="inner_output"), "dataset": "lee_news", "model": "spam_classifier"}
        )


def spelt(number: int) -> str:
    return f"w{chr(97 + number // 26)}{chr(97 + number % 26)}"


def drawn(texts: list[str], known: list[list[str]] | None = None, several: int = 1000) -> Examples:
    everything = sorted({word for text in texts for word in text.split()})
    accesses = [WordVectors(Embedding(words, np.ones((len(words), 2), np.float32))) for words in known or [everything]]
    population = Population(Documents(tuple(texts)), np.full(len(texts), True), accesses, several)
    return ATTACK.examples(population, np.random.default_rng(0))


@pytest.fixture
def texts() -> list[str]:
    rng = np.random.default_rng(1)
    return [" ".join(spelt(number) for number in rng.integers(60, size=12)) for _ in range(50)]


def test_a_window_is_where_it_says_and_never_runs_into_the_next_document(texts: list[str]) -> None:
    examples = drawn(texts)
    assert len(examples.rows) > 300
    for row, position, window in zip(examples.rows, examples.positions, examples.texts, strict=True):
        assert texts[row].split()[position : position + 3] == list(window)


def test_groups_are_bands_of_how_often_the_middle_word_occurs(texts: list[str]) -> None:
    examples = drawn(texts, several=50)
    joined = " ".join(texts).split()
    assert examples.groups == ("5–9", "10–19", "20–49", "50–199", "200 or more")
    for group, window, rarity in zip(examples.group, examples.texts, examples.rarity, strict=True):
        occurrences = joined.count(window[1])
        assert (5, 10, 20, 50, 200)[group] <= occurrences < (10, 20, 50, 200, 10**9)[group]
        assert rarity == -occurrences
    assert np.bincount(examples.group).max() <= 50
    assert examples.pool.sum() == sum(joined.count(word) >= 5 for text in texts for word in text.split()[1:-1])


def test_a_window_with_a_word_that_some_model_does_not_know_is_left_out(texts: list[str]) -> None:
    everything = sorted({word for text in texts for word in text.split()})
    examples = drawn(texts, [everything, [word for word in everything if word != spelt(3)]])
    assert not any(spelt(3) in window for window in examples.texts)
    assert examples.usable.sum() < examples.pool.sum()


def test_a_window_of_two_documents_is_left_out_and_one_repeated_within_a_document_is_kept_once(
    texts: list[str],
) -> None:
    words = texts[0].split()
    repeated = [*texts, " ".join([*words[:3], spelt(1), spelt(2)]), f"{spelt(7)} {spelt(8)} {spelt(9)} " * 4]
    examples = drawn(repeated)
    assert tuple(words[:3]) not in examples.texts, "it stands in the first and in another"
    assert examples.texts.count((spelt(7), spelt(8), spelt(9))) == 1


@pytest.mark.parametrize("model", [Word2vec(mode="skip_gram"), pytest.param(Glove(), marks=pytest.mark.exhaustive)])
def test_trained_vectors_give_windows_away(model: Any, store: Store) -> None:
    """Random words stand together in one document only; whoever trains long enough remembers which.

    GloVe is exhaustive: its vectors, too, predict which words co-occur, as `tests/models/test_word_models.py` shows.
    """
    small = model.replace(dimension=32, minimum_count=1, epochs=25, learning_rate=0.1)
    experiment = Experiment.parse(
        {
            "attack": WindowSimilarity(window=2, similarity="inner_output"),
            "dataset": Phrases(count=120, words=300),
            "model": small,
            "game": {"couples": 4, "examples": 60},
        }
    )
    result = run(experiment, context(store))[0]
    assert result.estimates["auc"].above_chance() and result.estimates["accuracy"].above_chance()
    assert set(result.tables["rules"]["statistic"]) == {"inner_output", "cosine", "model_free"}
