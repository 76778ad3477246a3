"""Whole texts read back: word for word whatever the case and the marks, BLEU, ROUGE-L and cosine, beside chance."""

import numpy as np
import pytest

from core.attacks.inversion.nearest_inversion import NearestInversion
from core.experiment import run
from core.games.inversion import text_score
from core.runtime.store import Store
from tests.games.inversion.small_games import asked
from tests.stand_ins import context

TEXTS = ("The sun rose late.", "Seven red boats came home.", "A dog!")


def test_exact_matches_and_bleu_are_those_counted_by_hand() -> None:
    estimates = text_score.estimates(TEXTS, ["the Sun rose late", "seven red boats left early", "dog a"], 1)
    exact, bleu = estimates["exact_match"], estimates["bleu"]
    assert (exact.value, exact.chance, exact.n) == (pytest.approx(1 / 3), 0, 3)
    assert bleu.chance is not None
    assert bleu.low <= bleu.value <= bleu.high
    assert bleu.chance < 0.2 < bleu.value < 1
    assert text_score.estimates(TEXTS, TEXTS, 1)["bleu"].value == 1


def test_rouge_l_counts_the_words_that_keep_their_order() -> None:
    rouge_l = text_score.overlap(TEXTS, ["the Sun rose late", "seven red boats left early", "dog a"], 1)["rouge_l"]
    assert rouge_l.value == pytest.approx((1 + 3 / 5 + 1 / 2) / 3), "4 of 4 and 4, 3 of 5 and 5, 1 of 2 and 2"
    assert rouge_l.chance == 0, "none of the texts has a word of the next one’s"
    printed = {"police kill the gunman": 0.75, "the gunman kill police": 0.5}  # Lin 2004, section 3.1
    assert {read: text_score.rouge_l("police killed the gunman", read) for read in printed} == printed
    assert text_score.rouge_l("a dog", "") == text_score.rouge_l("!", "?") == 0


@pytest.mark.parametrize("words", [8, 256])
def test_rouge_l_of_short_and_long_texts(words: int) -> None:
    text = [f"word{number}" for number in range(words)]
    assert text_score.rouge_l(" ".join(text), " ".join(text)) == 1
    assert text_score.rouge_l(" ".join(text), " ".join(reversed(text))) == pytest.approx(1 / words)
    assert text_score.rouge_l(" ".join(text), " ".join(text[::2])) == pytest.approx(2 / 3)


def test_cosines_are_those_of_each_text_with_what_was_read_from_it() -> None:
    victims, read = np.float32([[2, 0], [0, 3], [1, 1]]), np.float32([[1, 0], [0, 1], [-1, 1]])
    cosine = text_score.closeness(victims, read, 1)["cosine"]
    assert (cosine.value, cosine.n) == (pytest.approx(2 / 3), 3)
    assert cosine.chance == pytest.approx((0 + 2**-0.5 + 2**-0.5) / 3)


def test_the_same_answer_for_every_vector_is_at_chance() -> None:
    read = ["the sun rose late"] * 15
    estimates = text_score.estimates(TEXTS * 5, read, 1) | text_score.overlap(TEXTS * 5, read, 1)
    for figure in estimates.values():
        assert figure.value == pytest.approx(figure.chance)


def test_the_nearest_own_text_is_scored_as_a_whole_text_and_not_kept(store: Store) -> None:
    experiment = asked("multilabel").replace(attack=NearestInversion())
    whole = experiment.replace(game=experiment.game.replace(report="texts"))
    words, texts = (run(some, context(store))[0] for some in (experiment, whole))
    assert set(texts.estimates) - set(words.estimates) == {"exact_match", "bleu", "rouge_l", "cosine"}
    assert texts.estimates["cosine"].low > texts.estimates["cosine"].chance
    assert texts.estimates["exact_match"].value < 1
    assert "texts" not in {**words.tables, **texts.tables}


def test_full_reports_stay_as_they_were(store: Store) -> None:
    experiment = asked("corrective", made_up=50, epochs=1, rounds=1)
    words, full = (
        run(each, context(store))[0]
        for each in (experiment, experiment.replace(game=experiment.game.replace(report="full")))
    )
    assert {"exact_match", "bleu"} <= set(full.estimates) - set(words.estimates)
    assert not {"rouge_l", "cosine"} & set(full.estimates)
