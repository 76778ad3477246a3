"""A store that has grown: the adversary stays the same, and victims are drawn from all that there is now."""

import numpy as np
import pytest

from core.games.segments import Growth, Segments
from core.text.contents import Documents

EARLIER, LATER = 120, 40
TEXTS = tuple(f"text {number} about matter {number * number} of {number * 7}" for number in range(EARLIER + LATER))
NONE = np.empty(0, np.int64)


def split(texts: tuple[str, ...], seed: int, growth: Growth | None = None) -> Segments:
    return Segments.split(Documents(texts), "texts", 0.5, seed, growth)


@pytest.fixture(scope="module")
def draws() -> list[tuple[Segments, Segments]]:
    grown = Growth(EARLIER, NONE)
    return [(split(TEXTS[:EARLIER], seed), split(TEXTS, seed, grown)) for seed in range(300)]


def test_the_adversary_and_the_earlier_draw_stay(draws: list[tuple[Segments, Segments]]) -> None:
    for before, after in draws:
        assert before.auxiliary == after.auxiliary
        first, now = before.drawn(20), after.drawn(20)
        assert np.array_equal(first.first, after_first := now.first)
        assert np.array_equal(first.first, first.now), "without growth both are one draw"
        assert set(now.now[now.now < EARLIER]) <= set(after_first), "a victim leaves only for a later one"
        assert len(set(now.now)) == 20


def test_later_texts_are_drawn_as_often_as_earlier_ones(draws: list[tuple[Segments, Segments]]) -> None:
    numbers = np.concatenate([after.drawn(20).now for _, after in draws])
    counts = np.bincount(numbers, minlength=len(TEXTS))
    earlier, later = counts[:EARLIER].mean(), counts[EARLIER:].mean()  # (about 300 · 20 / 160 = 37.5)
    assert later == pytest.approx(earlier, rel=0.1)
    first_half, second_half = counts[EARLIER : EARLIER + LATER // 2].mean(), counts[EARLIER + LATER // 2 :].mean()
    assert first_half == pytest.approx(second_half, rel=0.2), "which of the later ones makes no difference"


def test_what_was_displaced_from_the_sample_is_not_drawn() -> None:
    displaced = np.arange(0, EARLIER, 2)
    before, after = split(TEXTS[:EARLIER], 1), split(TEXTS, 1, Growth(EARLIER, displaced))
    assert before.auxiliary == after.auxiliary, "the adversary keeps what it had"
    drawn = after.drawn(1000)
    assert not set(drawn.now) & set(displaced)
    assert set(drawn.first) & set(displaced)


def test_later_copies_of_earlier_texts_are_left_out_and_displace_none() -> None:
    words = [f"{name}{number}" for number in range(12) for name in ("sun", "tea", "roof")]
    old = tuple(" ".join(np.roll(words, 3 * number)[:16]) + f" {number}" for number in range(10))
    new = (f"{old[0]} and many more words that make it much longer than it was", f"{old[1].upper()}!", "a new one")
    before = Segments.split(Documents(old), "texts", 0.5, 2).without_near_copies()
    after = Segments.split(Documents((*old, *new)), "texts", 1e-9, 2, Growth(10, NONE))
    assert set(after.later) == {10, 12}, "in other letters it is the same text"
    assert set(after.without_near_copies().later) <= {12}
    grown = Segments.split(Documents((*old, *new)), "texts", 0.5, 2, Growth(10, NONE)).without_near_copies()
    assert grown.auxiliary == before.auxiliary
    assert np.array_equal(grown.holder, before.holder)
