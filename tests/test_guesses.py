"""Texts that are written and changed are of known words, and a search finds what an embedding keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.guesses import END, Course, Outline, Trail, Writer, likelihoods, search, tokens_of
from core.seeding import generator

TEXTS = ["the cat sat on the mat .", "The dog sat , too !", "a dog ran", "the mat ran to a cat"] * 5
WORDS = ("the", "cat", "sat", "on", "mat", "dog", "too", "a", "ran", "to")
WRITER = Writer.of(TEXTS, WORDS)
EVEN = np.ones(len(WRITER.tokens), np.float32)
COURSE = Course(first=6, rounds=8, asked=6, tried=6, kept=3)


@given(st.text(max_size=60))
def test_no_character_of_a_text_is_lost_but_spaces(text: str) -> None:
    assert "".join(tokens_of(text)) == "".join(text.split())


def test_words_are_whole_and_marks_stand_alone() -> None:
    assert tokens_of("résumé 5_pm?! ok") == ["résumé", "5_pm", "?", "!", "ok"]


def test_a_text_of_known_words_is_written_as_it_was_read() -> None:
    for text in TEXTS:
        assert WRITER.text(WRITER.numbers(text)) == text
    assert WRITER.text(WRITER.numbers("the unheard cat")) == "the cat"
    assert WRITER.numbers("") == ()


def test_words_of_either_case_are_tokens_of_their_own_and_other_words_none() -> None:
    few = Writer.of(["The cat", "the dog"], ("the", "cat"))
    assert set(few.tokens) == {"", "The", "the", "cat"}
    odds = few.odds(("the", "cat"), np.array([[2, 3]], np.float32))[0]
    assert dict(zip(few.tokens, odds.tolist(), strict=True)) == {"": 1, "The": 2, "the": 2, "cat": 3}


def test_what_follows_is_as_likely_as_it_was_counted_and_smoothed() -> None:
    writer = Writer.of(["a b"] * 30 + ["a c"] * 10, ("a", "b", "c"))
    a, b, c = writer.numbers("a b c")
    rng = generator(1, "draws")
    even = np.ones(4, np.float32)
    seconds = [own[1] if len(own) > 1 else END for own in (writer.write(even, rng) for _ in range(4000)) if own[0] == a]
    shares = {END: 40 / 120, b: 30 / 120, c: 10 / 120}
    damped = 0.95 * 20 * 40 / 120  # what 'a' is less likely once it is there
    for token, share in shares.items():
        counted = {b: 30, c: 10}.get(token, 0)
        assert seconds.count(token) / len(seconds) == pytest.approx(
            (counted + 20 * share) / (40 + 20 - damped), abs=0.03
        )


@given(seed=st.integers(0, 2**32), length=st.integers(1, 12))
def test_a_change_is_one_and_of_known_tokens(seed: int, length: int) -> None:
    rng = generator(seed, "changes")
    guess = tuple(rng.integers(1, len(WRITER.tokens), length).tolist())
    other = tuple(rng.integers(1, len(WRITER.tokens), 5).tolist())
    changed = WRITER.changed(guess, other, EVEN, rng)
    assert changed
    assert all(END < token < len(WRITER.tokens) for token in changed)
    spliced = any(changed[:at] == guess[:at] and other[len(other) - len(changed) + at :] == changed[at:]
                  for at in range(1, len(guess) + 1))  # fmt: skip
    assert abs(len(changed) - len(guess)) <= 1 or spliced


def test_words_without_odds_are_never_written() -> None:
    odds = EVEN.copy()
    odds[[WRITER.tokens.index(word) for word in ("cat", "dog")]] = 0
    rng = generator(2, "writing")
    written = {token for _ in range(300) for token in WRITER.write(odds, rng)}
    assert {WRITER.tokens[token] for token in written} >= {"the", "mat", "ran"}
    assert not {WRITER.tokens[token] for token in written} & {"", "cat", "dog"}


def test_no_text_grows_without_bound() -> None:
    endless = Writer.of(["a"] * 2000, ("a",))
    long = tuple([1] * 200)
    assert len(endless.changed(long, long, np.ones(2, np.float32), generator(3, "long"))) <= 60
    never = np.array([0, 1], np.float32)
    assert len(endless.write(never, generator(3, "long"))) == 60


def test_an_outline_is_the_mean_of_what_each_token_adds() -> None:
    rng = np.random.default_rng(0)
    added = rng.normal(size=(len(WRITER.tokens), 5))
    own = [tuple(rng.integers(1, len(WRITER.tokens), 6).tolist()) for _ in range(4000)]
    vectors = np.array([added[list(guess)].mean(axis=0) for guess in own], np.float32)
    outline = Outline.learn([*own, ()], np.concatenate([vectors, np.zeros((1, 5), np.float32)]), len(WRITER.tokens))
    np.testing.assert_allclose(outline.weights[1:], added[1:], atol=0.05)
    np.testing.assert_allclose(outline(own[0]), vectors[0], atol=0.05)


def test_each_word_is_as_likely_as_the_guesses_that_have_it() -> None:
    one, two = WRITER.numbers("the cat the ."), WRITER.numbers("The dog")
    trail = Trail(np.array([1, 0], np.float32), EVEN)
    trail.hear([one], np.array([[0.8, 0.6]], np.float32), 5)
    trail.hear([two], np.array([[0.6, 0.8]], np.float32), 5)
    share = 1 / (1 + np.exp(-10 * 0.2))
    told = likelihoods(WRITER, [trail], ("dog", "the", "cat", "zoo"), 10, [2])
    np.testing.assert_allclose(told, [[1 - share, 1, share, 0]], rtol=1e-5)
    np.testing.assert_allclose(likelihoods(WRITER, [trail], ("the", "dog"), 10, [1]), [[1, 0]], rtol=1e-5)
    assert not likelihoods(WRITER, [Trail(np.zeros(2, np.float32), EVEN)], WORDS, 10, [0]).any(), "nothing was guessed"
    assert trail.ends == [1, 2] and trail.near[0][0] == one
    assert (trail.closest(0), trail.closest(1)) == pytest.approx((0.8, 0.8))


def summed(texts: list[str]) -> np.ndarray:
    """Return the sum of a direction for each word, of length 1."""
    rows = [sum((generator(0, token).normal(size=64) for token in tokens_of(text)), np.zeros(64)) for text in texts]
    return np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(len(rows), 64)


def outline() -> Outline:
    return Outline(np.array([generator(0, token).normal(size=64) for token in WRITER.tokens], np.float32))


def test_a_search_comes_closer_and_closer_to_what_is_a_sum_of_words() -> None:
    wanted = ["the dog sat on a mat", "a cat ran too", "dog"]
    odds = np.tile(EVEN, (3, 1))
    trails = search(WRITER, outline(), summed(wanted), odds, COURSE, summed, seed=5)
    for trail, text in zip(trails, wanted, strict=True):
        closeness = [trail.closest(number) for number in range(COURSE.rounds + 1)]
        assert closeness == sorted(closeness)
        assert closeness[-1] > 0.9 > closeness[0] - 0.05
        assert len(set(tokens_of(WRITER.text(trail.near[0][0]))) ^ set(text.split())) <= 2
        assert trail.ends[-1] == len(trail.found) <= COURSE.first + COURSE.rounds * COURSE.asked
        assert len(trail.near) == COURSE.kept


def test_no_text_is_embedded_twice_for_one_embedding() -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> np.ndarray:
        asked.append(texts)
        return summed(texts)

    search(WRITER, outline(), summed(["the dog sat"]), EVEN[None], COURSE, embed, seed=5)
    flat = [text for texts in asked for text in texts]
    assert len(flat) == len(set(flat))
    assert len(asked) == COURSE.rounds + 1


def test_a_search_depends_on_its_seed_alone_and_not_on_who_is_searched_beside() -> None:
    wanted, odds = summed(["the dog sat", "a cat"]), np.tile(EVEN, (2, 1))
    both = search(WRITER, outline(), wanted, odds, COURSE, summed, seed=5)
    first = search(WRITER, outline(), wanted[:1], odds[:1], COURSE, summed, seed=5)
    other = search(WRITER, outline(), wanted[:1], odds[:1], COURSE, summed, seed=6)
    assert first[0].found == both[0].found
    assert first[0].found.keys() != other[0].found.keys()


def test_without_a_known_word_nothing_is_guessed() -> None:
    silent = Writer.of(["?"], ())
    assert silent.tokens == ("", "?")
    none = Writer.of([""], ())
    (trail,) = search(none, Outline(np.zeros((1, 64), np.float32)), summed(["a"]), np.ones((1, 1), np.float32), COURSE,
                      summed, seed=1)  # fmt: skip
    assert not trail.found and np.isnan(trail.closest())
