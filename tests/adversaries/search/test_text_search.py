"""A text search finds what an embedding keeps, embeds no text twice, and depends on its seed alone."""

import numpy as np
import pytest

from core.adversaries.search.bigram_model import BigramModel, tokens_of
from core.adversaries.search.text_search import Course, TokenRegression, Trail, search, word_probabilities
from core.runtime.seeding import generator

TEXTS = ["the cat sat on the mat .", "The dog sat , too !", "a dog ran", "the mat ran to a cat"] * 5
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "too", "a", "ran", "to")
BIGRAMS = BigramModel.of(TEXTS, WORDS)
EVEN = np.ones(len(BIGRAMS.tokens), np.float32)
COURSE = Course(first=6, rounds=8, embedded=6, tried=6, closest=3)


def test_a_regression_predicts_the_mean_of_what_each_token_adds() -> None:
    rng = np.random.default_rng(0)
    added = rng.normal(size=(len(BIGRAMS.tokens), 5))
    proposals = [tuple(rng.integers(1, len(BIGRAMS.tokens), 6).tolist()) for _ in range(4000)]
    vectors = np.array([added[list(proposal)].mean(axis=0) for proposal in proposals], np.float32)
    fitted = TokenRegression.learn(
        [*proposals, ()], np.concatenate([vectors, np.zeros((1, 5), np.float32)]), len(BIGRAMS.tokens)
    )
    np.testing.assert_allclose(fitted.weights[1:], added[1:], atol=0.05)
    np.testing.assert_allclose(fitted(proposals[0]), vectors[0], atol=0.05)


def test_each_word_is_as_likely_as_the_proposals_that_have_it() -> None:
    one, two = BIGRAMS.numbers("the cat the ."), BIGRAMS.numbers("The dog")
    trail = Trail(np.array([1, 0], np.float32), EVEN)
    trail.record([one], np.array([[0.8, 0.6]], np.float32), 5)
    trail.record([two], np.array([[0.6, 0.8]], np.float32), 5)
    share = 1 / (1 + np.exp(-10 * 0.2))
    probabilities = word_probabilities(BIGRAMS, [trail], ("dog", "the", "cat", "zoo"), 10, [2])
    np.testing.assert_allclose(probabilities, [[1 - share, 1, share, 0]], rtol=1e-5)
    np.testing.assert_allclose(word_probabilities(BIGRAMS, [trail], ("the", "dog"), 10, [1]), [[1, 0]], rtol=1e-5)
    assert not word_probabilities(BIGRAMS, [Trail(np.zeros(2, np.float32), EVEN)], WORDS, 10, [0]).any(), (
        "nothing was proposed"
    )
    assert trail.ends == [1, 2] and trail.nearest[0][0] == one
    assert (trail.closest(0), trail.closest(1)) == pytest.approx((0.8, 0.8))


def summed(texts: list[str]) -> np.ndarray:
    """Return the sum of a direction for each word, of length 1."""
    rows = [sum((generator(0, token).normal(size=64) for token in tokens_of(text)), np.zeros(64)) for text in texts]
    return np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(len(rows), 64)


def regression() -> TokenRegression:
    return TokenRegression(np.array([generator(0, token).normal(size=64) for token in BIGRAMS.tokens], np.float32))


def test_a_search_comes_closer_and_closer_to_what_is_a_sum_of_words() -> None:
    wanted = ["the dog sat on a mat", "a cat ran too", "dog"]
    odds = np.tile(EVEN, (3, 1))
    trails = search(BIGRAMS, regression(), summed(wanted), odds, COURSE, summed, seed=5)
    for trail, text in zip(trails, wanted, strict=True):
        closeness = [trail.closest(number) for number in range(COURSE.rounds + 1)]
        assert closeness == sorted(closeness)
        assert closeness[-1] > 0.9 > closeness[0] - 0.05
        assert len(set(tokens_of(BIGRAMS.text(trail.nearest[0][0]))) ^ set(text.split())) <= 2
        assert trail.ends[-1] == len(trail.closeness) <= COURSE.first + COURSE.rounds * COURSE.embedded
        assert len(trail.nearest) == COURSE.closest


def test_no_text_is_embedded_twice_for_one_embedding() -> None:
    embedded: list[list[str]] = []

    def embed(texts: list[str]) -> np.ndarray:
        embedded.append(texts)
        return summed(texts)

    search(BIGRAMS, regression(), summed(["the dog sat"]), EVEN[None], COURSE, embed, seed=5)
    flat = [text for texts in embedded for text in texts]
    assert len(flat) == len(set(flat))
    assert len(embedded) == COURSE.rounds + 1


def test_a_search_depends_on_its_seed_alone_and_not_on_who_is_searched_beside() -> None:
    wanted, odds = summed(["the dog sat", "a cat"]), np.tile(EVEN, (2, 1))
    both = search(BIGRAMS, regression(), wanted, odds, COURSE, summed, seed=5)
    first = search(BIGRAMS, regression(), wanted[:1], odds[:1], COURSE, summed, seed=5)
    other = search(BIGRAMS, regression(), wanted[:1], odds[:1], COURSE, summed, seed=6)
    assert first[0].closeness == both[0].closeness
    assert first[0].closeness.keys() != other[0].closeness.keys()


def test_without_a_known_word_nothing_is_proposed() -> None:
    silent = BigramModel.of(["?"], ())
    assert silent.tokens == ("", "?")
    none = BigramModel.of([""], ())
    (trail,) = search(
        none,
        TokenRegression(np.zeros((1, 64), np.float32)),
        summed(["a"]),
        np.ones((1, 1), np.float32),
        COURSE,
        summed,
        seed=1,
    )
    assert not trail.closeness and np.isnan(trail.closest())


def test_a_decoder_writes_for_the_embedding_and_then_beyond_it_until_the_text_is_reached() -> None:
    wanted, first = ["the dog sat", "a cat ran"], ["the dog ran", "a cat ran"]
    targets, written = summed(wanted), []

    def write(aims: np.ndarray, count: int) -> list[list[tuple[int, ...]]]:
        written.append((aims, count))
        texts = first if len(written) == 1 else wanted[:1]
        return [[BIGRAMS.numbers(text)] for text in texts]

    course = Course(first=3, rounds=3, embedded=0, tried=1, closest=2, rewritten=2)
    odds = np.tile(EVEN, (2, 1))
    trails = search(BIGRAMS, regression(), targets, odds, course, summed, seed=5, write=write)
    (at_first, count), (beyond, fewer) = written
    assert (count, fewer) == (3, 2), "nobody writes once both are reached"
    np.testing.assert_allclose(at_first, targets, atol=1e-6)
    lacking = 2 * targets[:1] - summed(first[:1])
    np.testing.assert_allclose(beyond, lacking / np.linalg.norm(lacking), atol=1e-5)
    assert [BIGRAMS.text(trail.nearest[0][0]) for trail in trails] == wanted
    assert [trail.ends for trail in trails] == [[1, 2, 2, 2], [1, 1, 1, 1]]
