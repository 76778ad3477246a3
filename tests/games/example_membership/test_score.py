"""The scorer of a game of examples reports the answer plainly, the others by name, and nothing twice."""

import numpy as np
import pytest

from core.games.example_membership import ExampleMembership
from core.games.example_membership.contract import Examples
from core.games.example_membership.score import SCHEMAS, Scorer
from core.games.example_membership.score.observed import ALL
from core.statistics.wording.variants import BLIND

GAME = ExampleMembership(couples=4)
EACH = 12


def examples(*groups: str) -> Examples:
    several = EACH * len(groups)
    group = np.repeat(np.arange(len(groups)), EACH)
    return Examples(
        np.arange(several) // 3,
        np.zeros(several, np.int64),
        (("a", "b", "c"),) * several,
        groups,
        group,
        np.full(len(groups), 100),
        np.full(len(groups), 25),
        -1.0 * group,
    )


def scored(apart: float = 2.0, groups: int = 1) -> Scorer:
    """Numbers that stand out for members of the first groups only, and of the second statistic half as much."""
    about = examples("rare", "frequent")
    member = GAME.draw(int(about.rows.max()) + 1, 2)[:, about.rows]
    rng = np.random.default_rng(0)
    scorer = Scorer(about, about.rows, member, GAME.couple, 1)
    for number, statistic in enumerate(("own", "other")):
        observed = apart / (1 + number) * member * (about.group < groups) + rng.normal(size=member.shape)
        for rule in ("likelihood_ratio", "one_threshold"):
            scorer.add(statistic, rule, observed, observed - apart / 2)
    alone = np.tile(about.rarity, (len(member), 1))
    scorer.add(BLIND, "one_threshold", alone, alone + 0.5)
    return scorer


def test_the_answer_has_plain_names_and_the_others_are_named() -> None:
    estimates = scored().estimates()
    plain = {"accuracy", "auc", "advantage", "tpr_at_1pct_fpr", "tpr_at_0.1pct_fpr"}
    assert plain - {"tpr_at_1pct_fpr", "tpr_at_0.1pct_fpr"} <= set(estimates)
    assert "tpr_at_1pct_fpr" not in estimates, "96 non-members are too few to speak of 1%"
    assert {"auc_one_threshold", "auc_other", "auc_model_free", "accuracy_model_free", "left_out"} <= set(estimates)
    assert "advantage_model_free" not in estimates
    assert estimates["auc"].value > estimates["auc_other"].value > 0.5
    assert estimates["auc"].members == estimates["auc"].nonmembers == 96
    assert estimates["left_out"].value == 0.75 and estimates["left_out"].decisions == 200


def test_groups_are_reported_separately() -> None:
    rows = scored().tables()["groups"].set_index(["statistic", "rule", "group"])
    rare, frequent = (rows.loc[("own", "likelihood_ratio", name)] for name in ("rare", "frequent"))
    assert rare["auc_low"] > 0.7 and frequent["auc_low"] < 0.5 < frequent["auc_high"]
    assert rare["low"] > 0 >= frequent["low"]
    assert rare["documents"] == EACH / 3 and rare["examples"] == EACH


def test_an_advantage_is_measured_against_what_guesses_reach() -> None:
    nothing, much = scored(0.0).estimates()["advantage"], scored(4.0, 2).estimates()["advantage"]
    assert nothing.chance == pytest.approx(much.chance, abs=0.1)
    assert nothing.value < 3 * nothing.chance and much.low > much.chance


def test_tables_tell_how_far_they_are() -> None:
    steps: list[int] = []
    scorer = scored()
    rules = {(row.statistic, row.rule) for row in scorer.tables(lambda: steps.append(1))["groups"].itertuples()}
    assert len(steps) == 2 * len(rules)


def test_the_same_bits_give_the_same_tables_with_the_declared_columns() -> None:
    first, second = scored().tables(), scored().tables()
    assert set(first) == set(SCHEMAS)
    for name, table in first.items():
        assert table.equals(second[name])
        assert list(table.columns) == list(SCHEMAS[name])
    assert set(first["densities"]["group"]) == {ALL, "rare", "frequent"}
    assert BLIND not in {*first["densities"]["statistic"], *first["roc"]["statistic"]}
    assert first["shown"]["example"].nunique() == 16
