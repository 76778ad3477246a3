"""The score of inference: ranks, ties, chance, joint secrets, and independence of the order of answers."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.games.inference.contract import Answer, Truth
from core.games.inference.score import Scorer
from core.games.inference.tables import SCHEMAS
from core.text.contents import PatternField
from core.text.secrets import Keyword

VALUES = tuple("abcdefg")


def truth_of(answers: Sequence[Sequence[int]], counted: Any = None) -> Truth:
    table = np.array(answers, dtype=np.int64)
    counted = np.ones(table.shape, np.bool_) if counted is None else np.array(counted)
    victims = table.shape[1]
    return Truth(tuple(f"text {row}" for row in range(victims)), 10 * np.arange(victims), table, counted)


def segments(count: int, values: Sequence[str] = VALUES) -> tuple[PatternField, ...]:
    return tuple(PatternField(f"segment {at}", tuple(values), at, at + 1) for at in range(count))


def scorer_of(
    truth: Truth, secrets: Sequence[Any], whole: Sequence[str] = (), uniform: bool = False, dealt: bool = False
) -> Scorer:
    return Scorer(secrets, truth, whole, uniform, dealt, "attack", 1)


def probabilities(rows: Any) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def test_the_likeliest_and_the_five_likeliest_values_count() -> None:
    """Seven values, likelier the earlier they stand; the truths are the first, the fifth and the sixth."""
    truth = truth_of([[0, 4, 5]])
    scorer = scorer_of(truth, segments(1))
    scorer.add(Answer("attack", 0, probabilities([[0.4, 0.2, 0.15, 0.1, 0.08, 0.05, 0.02]] * 3)), "adaptive")
    estimates = scorer.estimates()
    assert estimates["accuracy"].value == pytest.approx(1 / 3)
    assert estimates["top5_segment 0"].value == pytest.approx(2 / 3)
    assert estimates["accuracy_segment 0"].decisions == 3
    guesses = scorer.tables()["guesses"]
    assert guesses["rank"].tolist() == [1, 5, 6]
    assert guesses["truth"].tolist() == ["a", "e", "f"]
    assert set(guesses["guess"]) == {"a"}
    assert guesses["row"].tolist() == [0, 10, 20]


def test_ties_count_against_the_adversary() -> None:
    scorer = scorer_of(truth_of([[0, 1, 2]]), segments(1))
    scorer.add(
        Answer("attack", 0, probabilities([[1 / 7] * 7, [0.3, 0.3, 0.2, 0.2, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0]])),
        "adaptive",
    )
    assert scorer.tables()["guesses"]["rank"].tolist() == [7, 2, 1]
    assert scorer.estimates()["accuracy"].value == pytest.approx(1 / 3)


@pytest.mark.parametrize(("uniform", "chance", "top"), [(True, 1 / 7, 5 / 7), (False, 0.5, 0.9)])
def test_chance_is_uniform_or_the_majority_class(uniform: bool, chance: float, top: float) -> None:
    answers = [[0] * 5 + [1, 2, 3, 4, 5]]
    scorer = scorer_of(truth_of(answers), segments(1), uniform=uniform)
    scorer.add(Answer("attack", 0, probabilities(np.eye(7)[answers[0]])), "adaptive")
    estimates = scorer.estimates()
    assert estimates["accuracy"].chance == pytest.approx(chance)
    assert estimates["top5_segment 0"].chance == pytest.approx(top)
    row = scorer.tables()["inferred"].iloc[0]
    assert (row["chance"], row["top5_chance"], row["values"]) == pytest.approx((chance, top, 7))


def test_dealt_chance_is_what_the_answers_get_of_other_victims() -> None:
    """Answers that are uniform but for a few that fit: below the most frequent value, and yet they tell."""
    rng = np.random.default_rng(1)
    truth = rng.choice(3, (4, 600), p=[0.6, 0.2, 0.2])
    answers = np.where(rng.random(truth.shape) < 0.1, truth, rng.integers(3, size=truth.shape))
    plain, unknown = (scorer_of(truth_of(truth), segments(4, "abc"), dealt=known) for known in (False, True))
    for secret, named in enumerate(answers):
        for scorer in (plain, unknown):
            scorer.add(Answer("attack", secret, np.eye(3, dtype=np.float32)[named]), "adaptive")
    before, after = plain.estimates(), unknown.estimates()
    assert before["accuracy"].chance == pytest.approx(0.6, abs=0.03) and not before["accuracy"].above_chance()
    assert after["accuracy"].chance == pytest.approx(1 / 3, abs=0.03) and after["lead"].above_chance()
    assert after["mismatched"].value == after["accuracy"].chance
    assert after["majority"].value == pytest.approx(before["accuracy"].chance)
    assert after["accuracy_segment 0"].chance == pytest.approx(1 / 3, abs=0.05)
    assert "lead" not in before and plain.tables()["inferred"].equals(unknown.tables()["inferred"])


def test_two_values_have_no_top_five() -> None:
    scorer = scorer_of(truth_of([[0, 1]]), (Keyword("knee"),))
    scorer.add(Answer("attack", 0, probabilities([[0.9, 0.1], [0.2, 0.8]])), "adaptive")
    assert set(scorer.estimates()) == {"accuracy", "accuracy_knee"}
    assert scorer.tables()["inferred"]["top5"].isna().all()


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_joint_secrets_are_ranked_by_the_product_of_probabilities(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = (3, 4, 2)
    secrets = tuple(PatternField(f"s{at}", VALUES[:size], at, at + 1) for at, size in enumerate(sizes))
    answers = np.array([rng.integers(size, size=6) for size in sizes])
    parts = [rng.dirichlet(np.ones(size), 6).astype(np.float32) for size in sizes]
    scorer = scorer_of(truth_of(answers), secrets, ("s0", "s1", "s2"))
    for number, part in enumerate(parts):
        scorer.add(Answer("attack", number, part), "adaptive")
    joint = np.einsum("vi,vj,vk->vijk", *(part.astype(np.float64) for part in parts)).reshape(6, -1)
    combination = np.ravel_multi_index(tuple(answers), sizes)
    rank = (joint > joint[np.arange(6), combination][:, None] * (1 + 1e-12)).sum(axis=1) + 1
    estimates = scorer.estimates()
    assert estimates["accuracy_whole"].value == pytest.approx(np.mean(rank == 1))
    assert estimates["top5_whole"].value == pytest.approx(np.mean(rank <= 5))
    assert estimates["accuracy_whole"].chance == pytest.approx(1 / 24)
    each = [part.argmax(axis=1) == answer for part, answer in zip(parts, answers, strict=True)]
    assert estimates["accuracy_whole"].value == pytest.approx(np.mean(np.all(each, axis=0)))
    assert estimates["accuracy"].value == pytest.approx(np.mean(each)), "the whole is no part of the mean"


def test_victims_who_do_not_count_are_left_out() -> None:
    counted = [[True, True, False, False], [False, False, True, True]]
    scorer = scorer_of(truth_of([[0, 1, 1, 1], [0, 0, 0, 1]], counted), (Keyword("knee"), Keyword("eye")))
    scorer.add(Answer("attack", 0, probabilities([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.9, 0.1]])), "adaptive")
    scorer.add(Answer("attack", 1, probabilities([[0.1, 0.9], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]])), "adaptive")
    estimates = scorer.estimates()
    assert estimates["accuracy_knee"].value == 1
    assert estimates["accuracy_eye"].value == 0.5
    assert estimates["accuracy"].value == 0.75
    assert estimates["accuracy"].decisions == 4
    assert estimates["accuracy"].chance == 0.5
    assert scorer.tables()["guesses"].groupby("secret")["victim"].apply(list).to_dict() == {
        "knee": [0, 1],
        "eye": [2, 3],
    }


def test_the_curve_grows_and_ends_with_the_answer() -> None:
    scorer = scorer_of(truth_of([[0, 1, 2], [0, 1, 2]]), segments(2))
    better = [np.full((3, 7), 1 / 7), np.eye(7)[[0, 1, 0]], np.eye(7)[[0, 1, 2]]]
    for secret in (0, 1):
        for epoch, values in enumerate(better, start=1):
            before = len(scorer.rows)
            scorer.add(Answer("attack", secret, probabilities(values), epoch, final=epoch == 3), "adaptive")
            assert len(scorer.rows) == before + 1 + secret
    curve = scorer.tables()["curve"]
    mean = curve.query("secret == 'all'")
    assert mean["epochs"].tolist() == [1, 2, 3]
    assert mean["accuracy"].tolist() == pytest.approx([0, 2 / 3, 1])
    inferred = scorer.tables()["inferred"].query("secret == 'all'").iloc[0]
    last = mean.iloc[-1]
    assert (last["accuracy"], last["low"], last["high"]) == (inferred["accuracy"], inferred["low"], inferred["high"])


def test_the_order_of_answers_changes_nothing() -> None:
    """Trainings end in any order, and a resumed run gets the stored ones first."""
    rng = np.random.default_rng(0)
    answers = rng.integers(7, size=(2, 9))
    on_epoch = [
        (Answer(variant, secret, probabilities(rng.dirichlet(np.ones(7), 9)), epoch, final=epoch == 2), adversary)
        for variant in ("attack", "abacus")
        for adversary in ("adaptive", "naive")
        for secret in (0, 1)
        for epoch in (1, 2)
    ]
    tables, estimates = [], []
    for order in ([0, 1, 2, 3], [3, 1, 2, 0], [1, 0, 3, 2]):
        scorer = scorer_of(truth_of(answers), segments(2), ("segment 0", "segment 1"))
        groups = [on_epoch[at : at + 2] for at in range(0, len(on_epoch), 2)]
        for group in [groups[number] for block in order for number in (2 * block + 1, 2 * block)]:
            for inference, adversary in group:
                scorer.add(inference, adversary)
        tables.append(scorer.tables())
        estimates.append(scorer.estimates())
    assert estimates[0] == estimates[1] == estimates[2]
    assert tables[0]["inferred"]["variant"].iloc[0] == "attack"
    for name, table in tables[0].items():
        assert list(table.columns) == list(SCHEMAS[name])
        assert table.equals(tables[1][name])
        assert table.equals(tables[2][name])


def test_a_variant_without_all_final_answers_has_no_figure() -> None:
    scorer = scorer_of(truth_of([[0, 1], [1, 0]]), segments(2))
    for order in permutations((0, 1)):
        scorer.add(Answer("attack", order[0], probabilities(np.eye(7)[[0, 1]])), "adaptive")
    scorer.add(Answer("rival", 0, probabilities(np.eye(7)[[0, 1]])), "adaptive")
    scorer.add(Answer("unfinished", 0, probabilities(np.eye(7)[[0, 1]]), 1, final=False), "adaptive")
    assert {name for name in scorer.estimates() if "rival" in name or "unfinished" in name} == set()
    assert set(scorer.tables()["inferred"]["variant"]) == {"attack"}


def test_a_keyword_named_like_a_baseline_keeps_its_own_figure() -> None:
    scorer = scorer_of(truth_of([[0, 1]]), (Keyword("svm"),))
    scorer.add(Answer("attack", 0, probabilities([[0.9, 0.1], [0.1, 0.9]])), "adaptive")
    scorer.add(Answer("svm", 0, probabilities([[0.1, 0.9], [0.9, 0.1]])), "adaptive")
    assert scorer.estimates()["accuracy"].value == 1
    assert scorer.estimates()["accuracy_svm"].value == 0
    assert scorer.tables()["inferred"].query("variant == 'attack' and secret == 'svm'")["accuracy"].item() == 1
