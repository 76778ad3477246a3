"""Precision, recall and F1 equal those counted by hand, and the frequency baseline is chance."""

import numpy as np
import pytest

from core.games.inversion import sensitive_score
from core.games.inversion.contract import Answer
from core.games.inversion.score import Scorer
from core.result import Estimate
from core.text.word_sets import word_set

BAGS = (frozenset({"the", "pizza"}), frozenset({"the", "sun", "moon"}), frozenset({"the", "a"}))
WORDS = ("the", "pizza", "sun", "stars")


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> None:
    """Figures are resampled as often as in any game."""


def scorer_of(known: tuple[str, ...] = ("the pizza", "the sun", "the moon"), **more: int) -> Scorer:
    rows, sentences = np.array([4, 5, 9]), np.array([-1, 0, 2])
    return Scorer(BAGS, rows, sentences, list(map(word_set, known)), "attack", seed=1, **more)


def answer() -> Answer:
    scores = np.array([[0.9, 0.6, 0.2, 0.1], [0.8, 0.1, 0.7, 0.6], [0.3, 0.2, 0.1, 0.0]], np.float32)
    return Answer(WORDS, scores, scores > 0.5, ("the pizza", "", "sun sun"))


def test_figures_are_those_counted_by_hand() -> None:
    scorer = scorer_of()
    scorer.add("attack", answer())
    estimates = scorer.estimates()
    precision, recall = (1 + 2 / 3 + 0) / 3, (1 + 2 / 3 + 0) / 3
    assert estimates["precision"].value == pytest.approx(precision)
    assert estimates["recall"].value == pytest.approx(recall)
    assert estimates["f1"].value == pytest.approx(2 * precision * recall / (precision + recall))
    assert estimates["f1"].decisions == 3
    assert estimates["recall_content"].value == pytest.approx((1 + 1 / 2) / 2), "one text has no content word"
    for estimate in estimates.values():
        assert estimate.low <= estimate.value <= estimate.high


def test_words_of_single_victims_are_kept_as_far_as_asked() -> None:
    shown, kept_back = scorer_of(examples=2), scorer_of(examples=0)
    for scorer in (shown, kept_back):
        scorer.add("attack", answer())
    assert set(shown.tables()["words"]["victim"]) == {0, 1}
    assert len(shown.texts(answer(), answer())) == 2 + 3
    assert kept_back.tables()["words"].empty
    assert len(kept_back.texts(answer(), answer())) == 3, "those of the sentence that is no victim's"
    assert kept_back.estimates() == shown.estimates()


def test_the_frequency_baseline_predicts_the_best_number_of_words_on_the_adversarys_texts() -> None:
    scorer = scorer_of(("the pizza", "the pizza", "a b c"))
    scorer.add("attack", answer())
    chance = scorer.estimates()["recall"].chance
    assert chance == pytest.approx((1 + 1 / 3 + 1 / 2) / 3), "it names 'pizza' and 'the'"


def test_the_frequency_baseline_predicts_content_words_where_only_those_count() -> None:
    scorer = scorer_of(("the pizza", "the pizza", "the sun"))
    scorer.add("attack", answer())
    estimates = scorer.estimates()
    assert estimates["recall_content"].chance == pytest.approx((1 + 0) / 2), "it names 'pizza'"
    assert estimates["precision_content"].chance == pytest.approx(1 / 2)


def test_rare_words_are_counted_apart() -> None:
    scorer = scorer_of(("the pizza", "the sun", "the moon", "the", "the sun"))
    scorer.add("attack", answer())
    rarity = scorer.tables()["rarity"].set_index("fewest")
    assert rarity.loc[0, "occurrences"] == 1, "'a' was never seen"
    assert rarity.loc[1, "occurrences"] == 3
    assert rarity.loc[1, "recall"] == pytest.approx(2 / 3)
    assert rarity.loc[5, "occurrences"] == 3
    assert rarity.loc[5, "recall"] == pytest.approx(2 / 3)
    assert rarity.loc[500, "occurrences"] == 0
    assert np.isnan(rarity.loc[500, "recall"])
    assert rarity["named"].sum() == answer().predicted.sum()
    assert rarity.loc[5, "frequency"] == 1
    assert rarity.loc[0, "frequency"] == 0


def test_predicted_words_come_first() -> None:
    scorer = scorer_of()
    scorer.add("attack", answer())
    words = scorer.tables()["words"]
    second = words[words["victim"] == 1]
    assert second["word"].tolist() == ["the", "sun", "stars", "pizza"]
    assert second["named"].tolist() == [True, True, True, False]
    assert second["present"].tolist() == [True, True, False, False]
    assert set(second["there"]) == {3}
    assert words.drop_duplicates("victim")["row"].tolist() == [4, 5, 9]


def test_a_sentence_that_is_no_victims_is_scored_alike() -> None:
    predicted = answer()
    yours = scorer_of().sentence("Pizza? The PIZZA!", Answer(WORDS, predicted.scores[:1], predicted.predicted[:1]))
    assert yours[yours["named"]]["word"].tolist() == ["the", "pizza"]
    assert yours["present"].tolist() == [True, True, False, False]


def test_whole_texts_are_listed_by_victim_with_ones_own_last() -> None:
    texts = scorer_of().texts(answer(), Answer(WORDS, answer().scores[:1], answer().predicted[:1], ("a moon",)))
    assert dict(zip(texts["victim"], texts["words"], strict=True)) == {
        0: "the pizza",
        1: "",
        2: "sun sun",
        -1: "a moon",
    }


def test_who_names_more_words_than_the_baseline_is_above_chance_only_for_the_right_vectors() -> None:
    victims = 40
    draw = np.random.default_rng(0)
    present = draw.random((victims, 12)) < 0.5
    words = tuple(f"word{column}" for column in range(12))
    texts = [frozenset(word for word, there in zip(words, row, strict=True) if there) for row in present]

    def f1(predicted: np.ndarray) -> Estimate:
        numbers = np.arange(victims)
        scorer = Scorer(texts, numbers, numbers, [frozenset({"unheard"})], "attack", seed=1)
        scorer.add("attack", Answer(words, predicted.astype(np.float32), predicted))
        return scorer.estimates()["f1"]

    everything, of_right_vectors = np.ones_like(present), present & (draw.random(present.shape) < 0.7)
    assert f1(everything).value > 0.5 and f1(everything).low == f1(everything).chance == 0
    assert f1(of_right_vectors).low > 0.5
    shuffled = [f1(of_right_vectors[draw.permutation(victims)]) for _ in range(40)]
    assert all(figure.value > 0.3 for figure in shuffled)
    assert sum(figure.above_chance() for figure in shuffled) <= 1, "half a percent of them, by chance"


def test_names_from_other_vectors_are_chance() -> None:
    draw = np.random.default_rng(0)
    whose = draw.integers(0, 2, 30)
    texts = [f"we met {('Ann', 'Bob')[number]} today" for number in whose]

    def recall(predicted: np.ndarray) -> Estimate:
        answer = Answer(("ann", "bob"), predicted.astype(np.float32), predicted)
        return sensitive_score.estimates(texts, answer, ["ann"], 1)["recall_names"]

    both, right = recall(np.ones((30, 2), np.bool_)), recall(whose[:, None] == np.arange(2))
    assert (both.value, both.chance) == (1, 1) and not both.above_chance(), "whoever is read, both are named"
    assert right.value == 1 and right.above_chance() and right.chance is not None
    assert right.chance == pytest.approx(max((whose == 0).mean(), by_others(whose)))
    random = [recall(draw.random((30, 2)) < 0.9) for _ in range(40)]
    assert sum(figure.above_chance() for figure in random) <= 1, "half a percent of them, by chance"
    one = sensitive_score.estimates(["we met Ann today", *["nobody came"] * 9], answer_of_ann(10), [], 1)
    assert one["recall_names"].value == 1 and not one["recall_names"].above_chance(), "one name concludes nothing"


def by_others(whose: np.ndarray) -> float:
    """Return which share of texts have the name that was read from another text's vector, counted pair by pair."""
    pairs = [(one, other) for one in range(len(whose)) for other in range(len(whose)) if one != other]
    return float(np.mean([whose[one] == whose[other] for one, other in pairs]))


def answer_of_ann(victims: int) -> Answer:
    """Return an answer that names Ann for the first victim alone."""
    predicted = np.arange(victims)[:, None] == 0
    return Answer(("ann",), predicted.astype(np.float32), predicted)
