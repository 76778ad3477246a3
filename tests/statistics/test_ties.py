"""Equal scores decide nothing, and it is said what one answer for every target is right in."""

import pandas as pd

from core.statistics import ties


def scored(size: int, score: list[float], *, guess: bool = True) -> pd.DataFrame:
    member = [number % 4 == 0 for number in range(len(score))]
    return pd.DataFrame({"size": size, "member": member, "score": score, "guess": guess})


def test_equal_scores_are_told_from_scores_that_differ_by_the_least() -> None:
    tied, near = scored(1, [5e-324] * 8), scored(5, [0.0] * 7 + [5e-324])
    assert ties.sizes(pd.concat([near, tied])) == [1]
    assert ties.sentence(near) == ties.sentence(near.head(0)) == ""
    assert ties.sizes(tied[tied["member"]]) == [], "one class alone has no AUC"


def test_what_is_said_follows_from_the_share_of_members_and_the_decision() -> None:
    sentence = ties.sentence(scored(1, [0.0] * 8))
    assert (
        sentence.startswith("All 8 scores of the attack are equal")
        and "every target a member is right in 25%" in sentence
    )
    mixed = ties.sentence(pd.concat([scored(1, [0.0] * 8, guess=False), scored(5, [0.0, 1.0])]))
    assert mixed.startswith("For 1 document, all 8 scores") and "every target a non-member is right in 75%" in mixed
