"""The blind baseline: plain differences between ins and outs are seen, and random marks are not."""

from collections.abc import Callable

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from core.games.blind import BlindScores, Known, Marked, blind_scores
from core.statistics.one_model import OfOneClassifier
from tests.games.audit.marked import VOCABULARY

TARGETS = 120


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> None:
    """Marks are drawn anew as often as in any game."""


def known(rng: np.random.Generator, units: int = TARGETS, size: int = 1) -> tuple[list[str], list[str], np.ndarray]:
    """Return texts of fifteen words, classes of two kinds, and which units are in, all drawn at random."""
    texts = [" ".join(rng.choice(VOCABULARY, 15)) for _ in range(units * size)]
    return texts, rng.choice(["news", "sport"], units * size).tolist(), rng.permutation(np.arange(units) % 2 == 0)


def blind(texts: list[str], classes: list[str], member: np.ndarray, cluster: np.ndarray | None = None) -> BlindScores:
    """Return the scores of units that have equally many texts each."""
    size = len(texts) // len(member)
    cluster = np.arange(len(member)) if cluster is None else cluster
    marked = Marked(np.repeat(np.arange(len(member)), size), member, cluster, len(member))
    return blind_scores(Known(texts, classes, np.full(len(texts), size)), marked, 1)


def figures(scores: BlindScores, member: np.ndarray, cluster: np.ndarray | None = None) -> dict[str, tuple[float, ...]]:
    cluster = np.arange(len(member)) if cluster is None else cluster
    decisions = OfOneClassifier(
        *(member[None], scores.score[None], np.zeros(1, np.int64), cluster),
        random_member=scores.random_member,
        random_score=scores.random_score,
    )
    return dict(decisions.figures(["auc", "accuracy"], np.random.default_rng(0)))


Change = Callable[[str, str, bool, float], tuple[str, str]]
"""From text, class, whether it is in, and a number drawn between 0 and 1, another text and class."""
DIFFERENCES: dict[str, Change] = {
    "classes, four of five for one of five": lambda text, _, inside, draw: (
        text,
        "sport" if (draw < 0.8) == inside else "news",
    ),
    "one word in a third": lambda text, topic, inside, draw: (text + " indeed" * (inside and draw < 0.35), topic),
    "the order of two words": lambda text, topic, inside, _: (
        f"{text} {'left right' if inside else 'right left'}",
        topic,
    ),
    "a line break in half": lambda text, topic, inside, draw: (text + "\n" * (inside and draw < 0.5), topic),
    "lengths that vary more": lambda text, topic, inside, draw: (
        text[: 40 + int(40 * draw)] if inside else text[:60],
        topic,
    ),
}


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_a_plain_difference_between_ins_and_outs_is_seen(difference: str) -> None:
    rng = np.random.default_rng(5)
    texts, classes, member = known(rng)
    changed = map(DIFFERENCES[difference], texts, classes, member.tolist(), rng.random(len(texts)).tolist())
    texts, classes = map(list, zip(*changed, strict=True))
    value, low, _ = figures(blind(texts, classes, member), member)["auc"]
    assert low > 0.5, f"{difference}: AUC {value:.2f}"


def test_how_many_documents_an_owner_has_is_seen() -> None:
    rng = np.random.default_rng(2)
    member = rng.permutation(np.arange(TARGETS) % 2 == 0)
    sizes = 1 + rng.integers(0, 2, TARGETS) + 2 * (member & (rng.random(TARGETS) < 0.6))
    of_text = np.repeat(np.arange(TARGETS), sizes)
    texts = [" ".join(rng.choice(VOCABULARY, 15)) for _ in of_text]
    scores = blind_scores(Known(texts, (), sizes[of_text]), Marked(of_text, member, np.arange(TARGETS), TARGETS), 1)
    assert figures(scores, member)["auc"][1] > 0.5


def test_what_differs_between_owners_alone_tells_nothing_of_their_marks() -> None:
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(24), 5)
    member = rng.permutation(np.arange(24) % 2 == 0)[cluster]
    habits = [" ".join(rng.choice(VOCABULARY, 6)) for _ in range(24)]
    texts = [f"{habits[owner]} {' '.join(rng.choice(VOCABULARY, 9))}" for owner in cluster]
    _, low, high = figures(blind(texts, [], member, cluster), member, cluster)["auc"]
    assert low <= 0.5 <= high


def test_marks_of_the_owners_in_question_do_not_tell_of_each_other() -> None:
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(24), 5)
    habits = [" ".join(rng.choice(VOCABULARY, 6)) for _ in range(24)]
    texts = [f"{habits[owner]} {' '.join(rng.choice(VOCABULARY, 9))}" for owner in cluster]
    scores = blind(texts, [], rng.permutation(np.arange(24) % 2 == 0)[cluster], cluster)
    areas = [roc_auc_score(*draw) for draw in zip(scores.random_member[:150], scores.random_score[:150], strict=True)]
    assert 0.4 < np.mean(areas) < 0.55, "a share of ins that counts their own would give 0.685"


def test_random_marks_exclude_chance_at_most_as_often_as_promised() -> None:
    excluded = 0
    for seed in range(20):
        texts, classes, member = known(np.random.default_rng(seed), 60)
        excluded += not (area := figures(blind(texts, classes, member), member)["auc"])[1] <= 0.5 <= area[2]
    assert excluded <= 3, "5% of 20 are 1; more than 3 have a probability below 2%"


@pytest.mark.parametrize(
    "texts",
    [[chr(0x4E00 + number) for number in range(60)], ["the same words"] * 60, ["!"] * 60, ["half of \ud83d"] * 60],
)
def test_texts_in_which_nothing_tells_are_at_chance(texts: list[str]) -> None:
    member = np.arange(60) % 2 == 0
    value, low, high = figures(blind(texts, [], member), member)["auc"]
    assert low <= 0.5 <= high, value


def test_marks_of_an_owner_stay_together_who_is_asked_about_and_trained_on() -> None:
    rng = np.random.default_rng(3)
    texts, classes, _ = known(rng)
    cluster = np.arange(TARGETS) % 20
    marked = Marked(np.arange(TARGETS), cluster % 2 == 0, cluster, TARGETS // 2)
    drawn = blind_scores(Known(texts, classes, np.ones(TARGETS, np.int64)), marked, 1).random_member
    owner = cluster[: TARGETS // 2]
    whose = [owner == each for each in range(20)]
    assert all(len(set(row[of_one].tolist())) == 1 for row in drawn for of_one in whose)


def test_what_goes_together_does_not_outshout_what_tells_more() -> None:
    rng = np.random.default_rng(6)
    member = rng.permutation(np.arange(3 * TARGETS) % 2 == 0)
    footer, words = " ".join(f"footer{number}" for number in range(30)), [f"word{number}" for number in range(200)]
    texts = []
    for inside in member:
        weights = np.where((np.arange(200) < 100) == inside, 2.0, 1.0)
        drawn = " ".join(rng.choice(words, 40, p=weights / weights.sum()))
        texts.append(f"{drawn} {footer}" if rng.random() < (0.65 if inside else 0.35) else drawn)
    area = figures(blind(texts, [], member), member)["auc"][0]
    predicted = cross_val_predict(
        LogisticRegression(), CountVectorizer().fit_transform(texts), member, method="decision_function"
    )
    assert area > roc_auc_score(member, predicted) - 0.02
