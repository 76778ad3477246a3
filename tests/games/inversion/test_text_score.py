"""Whole texts read back: word for word whatever the case and the marks, and BLEU beside answers dealt to others."""

import pytest

from core.games.inversion import text_score

TEXTS = ("The sun rose late.", "Seven red boats came home.", "A dog!")


def test_exact_matches_and_bleu_are_those_counted_by_hand() -> None:
    found = text_score.estimates(TEXTS, ["the Sun rose late", "seven red boats left early", "dog a"], 1)
    exact, bleu = found["exact_match"], found["bleu"]
    assert (exact.value, exact.chance, exact.n) == (pytest.approx(1 / 3), 0, 3)
    assert bleu.chance is not None
    assert bleu.low <= bleu.value <= bleu.high
    assert bleu.chance < 0.2 < bleu.value < 1
    assert text_score.estimates(TEXTS, TEXTS, 1)["bleu"].value == 1


def test_the_same_answer_for_every_vector_is_at_chance() -> None:
    found = text_score.estimates(TEXTS * 5, ["the sun rose late"] * 15, 1)
    for figure in found.values():
        assert figure.value == pytest.approx(figure.chance)
