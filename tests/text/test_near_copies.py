"""Of near copies the longest is kept."""

import numpy as np

from core.text.near_copies import RUN, distinct, shares_of


def test_the_longest_copy_is_kept() -> None:
    story = [f"w{number}" for number in range(50)]
    other = [f"v{number}" for number in range(50)]
    messages = [
        story[:40],
        ["hello", *story, "bye"],
        ["rather", "short"],
        other,
        [*story[:10], *other[20:]],
        other[:5],
        other[:5],
        [*other[:30], "x", *other[31:]],
    ]
    # The fifth shares 25 of its 35 runs with the fourth; the last shares 39 of its 45.
    assert distinct(messages) == [1, 2, 3, 4, 5]


def test_duplicates_agree_with_a_plain_reckoning() -> None:
    rng = np.random.default_rng(1)
    pool = [[f"w{word}" for word in rng.integers(300, size=rng.integers(5, 60))] for _ in range(40)]
    messages = [pool[rng.integers(40)][rng.integers(9) :] for _ in range(200)]

    def runs(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1))}

    kept: list[int] = []
    for number in sorted(range(200), key=lambda number: (-len(messages[number]), number)):
        mine = runs(messages[number])
        if all(len(mine & runs(messages[other])) < 0.8 * len(mine) for other in kept):
            kept.append(number)
    assert distinct(messages) == sorted(kept)


def test_a_smaller_share_makes_more_near_copies() -> None:
    story, other = ([f"{letter}{number}" for number in range(50)] for letter in "wv")
    messages = [story, [*story[:30], *other[:20]]]  # the second shares 25 of its 45 runs with the first
    assert distinct(messages) == [0, 1]
    assert distinct(messages, shared=0.5) == [0]


def test_the_share_that_others_hold_agrees_with_a_plain_reckoning() -> None:
    rng = np.random.default_rng(2)
    pool = [[f"w{word}" for word in rng.integers(300, size=rng.integers(3, 40))] for _ in range(30)]
    others = [[*pool[rng.integers(30)][: rng.integers(1, 30)], "x"] for _ in range(40)]

    def runs(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1))}

    held = set().union(*map(runs, others))
    expected = [len(runs(words) & held) / len(runs(words)) for words in [*pool, *pool]]
    assert shares_of([*pool, *pool], others).tolist() == expected, "what two of the asked share counts for nothing"
    assert 0 < np.mean(expected) < 1
    assert shares_of(pool, []).tolist() == [0.0] * 30
    assert shares_of([[], ["hi"]], [[], ["hi"]]).tolist() == [0, 1], "texts without words are no copies of each other"
