"""Conditions on results: what they say when they hold, and how they refuse what they cannot read."""

from dataclasses import replace

import pytest

from core.commands.experiments import failed
from core.errors import InvalidSpec
from core.report import check
from core.report.condition import Condition, leaking_beside, of_rate
from core.result import Estimate, Result
from tests.dashboard.samples import PROVENANCE

AUC = Estimate(value=0.61, low=0.56, high=0.66, chance=0.5, unit="probability", members=40, nonmembers=60)
RESULT = Result(
    experiment={},
    estimates={
        "auc": AUC,
        "tpr_at_0.1pct_fpr": AUC.model_copy(update={"value": float("nan"), "low": float("nan")}),
        "queries": Estimate.queries(5, "Words."),
    },
    provenance=PROVENANCE,
)


@pytest.mark.parametrize(
    "condition", ["auc.low > 0.55", "auc.value>=0.61", "auc.n == 100", "auc.chance < 1", " auc.high!=0 "]
)
def test_a_condition_that_holds_says_why(condition: str) -> None:
    reason = check(RESULT, condition)
    assert reason.startswith(condition.split()[0].split(">")[0].split("!")[0])
    assert reason.endswith(".")


@pytest.mark.parametrize("condition", ["auc.low > 0.66", "auc.high <= 0.6", "auc.members == 41", "auc.n < 5"])
def test_a_condition_that_does_not_hold_says_nothing(condition: str) -> None:
    assert check(RESULT, condition) == ""


def test_what_could_not_be_measured_does_not_let_a_pipeline_go_on() -> None:
    for sign in "<>":
        assert "could not be measured" in check(RESULT, f"tpr_at_0.1pct_fpr.low {sign} 0.5")


@pytest.mark.parametrize("game", ["audit", "answers"])
def test_an_audit_whose_texts_alone_tell_ins_from_outs_decides_no_condition(game: str) -> None:
    blind = AUC.model_copy(update={"low": 0.52})
    audit = replace(RESULT, experiment={"game": {"part": game}}, estimates={"auc": AUC, "auc_model_free": blind})
    assert "Nothing can be concluded" in check(audit, "auc.low > 0.9")
    at_chance = {"auc": AUC, "auc_model_free": blind.model_copy(update={"low": 0.48})}
    assert check(replace(audit, estimates=at_chance), "auc.low > 0.9") == ""


@pytest.mark.parametrize(
    ("others", "says"),
    [
        (
            {"auc_loss": 0.9, "auc_min_k": 0.5},
            "tell documents in from those out, corrected for their number: AUC of loss",
        ),
        ({"auc_loss": 0.5, "auc_min_k": 0.9}, "corrected for their number: AUC of Min-K%"),
        ({"auc_loss": 0.9, "auc_min_k": 0.8}, "; Min-K% "),
        ({"auc_loss": 0.5, "tpr_at_1pct_fpr": 0.9}, "corrected for the number of all: "),
        ({"auc_loss": 0.5, "auc_min_k": 0.5}, ""),
    ],
    ids=["loss", "min-k", "both", "a rate", "none"],
)
@pytest.mark.parametrize("planned", [0.5, 0.9])
def test_what_other_statistics_of_an_audit_find_leaves_no_condition_decided(
    planned: float, others: dict[str, float], says: str
) -> None:
    chance = {"auc": 0.5, "auc_model_free": 0.5, "tpr_at_1pct_fpr": 0.01}
    estimates = {
        name: AUC.model_copy(
            update={"value": value, "low": value - 0.05, "high": value + 0.05, "chance": chance.get(name, 0.5)}
        )
        for name, value in {"auc": planned, "auc_model_free": 0.5, **others}.items()
    }
    audit = replace(RESULT, experiment={"game": {"part": "audit"}}, estimates=estimates)
    said = leaking_beside(audit)
    if planned > 0.5 or not says:
        assert said == ""
    else:
        assert says in said and ("loss" in said) == (others["auc_loss"] > 0.5)
        assert said.startswith("The planned statistic finds nothing.")
        assert check(audit, "auc.low > 0.55") == said
        assert check(audit, "auc.low > 0.4") != said, "a condition that holds is decided"
    assert leaking_beside(replace(audit, experiment={})) == "", "no audit"


@pytest.mark.parametrize("name", ["auc", "accuracy"])
def test_a_rate_of_too_few_non_members_has_the_area_beside_it(name: str) -> None:
    assert of_rate("tpr_at_1pct_fpr") == "auc" and of_rate("tpr_at_0.1pct_fpr_loss") == "auc_loss"
    assert of_rate(name) is None


def test_a_leak_that_no_condition_asks_about_is_said_when_the_gate_passes(capsys: pytest.CaptureFixture[str]) -> None:
    silent = AUC.model_copy(update={"value": 0.52, "low": 0.45})
    leaking = replace(RESULT, estimates={"accuracy_5": silent, "auc_5": AUC, "accuracy": silent, "auc": AUC})
    for result, condition, status, says in (
        (leaking, "accuracy.low > 0.66", 0, "auc_5.low is 0.56, above chance (0.5)"),
        (leaking, "auc.low > 0.66", 0, ""),
        (leaking, "auc.low > 0.5", 3, "fulfils"),
        (replace(leaking, estimates={"accuracy": silent, "auc": silent}), "accuracy.low > 0.66", 0, ""),
    ):
        assert failed([Condition.parse(condition)], result) == status
        message = capsys.readouterr().err
        assert says in message and len(message.splitlines()) == bool(says)
    with pytest.warns(UserWarning, match=r"auc_5\.low is 0\.56, above chance") as warned:
        assert check(leaking, "accuracy.low > 0.66") == ""
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("figure", "conditions", "says", "silent_on"),
    [
        (
            (0.55, 0.4, 0.7),
            ["auc.low > 0.6"],
            ["auc up to 0.7 is not excluded", "AUC: a leak", "shown to lie above chance"],
            [],
        ),
        ((0.55, 0.4, 0.7), ["auc.low > 0.6", "auc.value > 0.65"], ["auc.value > 0.65 does not hold"], []),
        ((0.63, 0.56, 0.7), ["auc.low > 0.6"], ["auc up to 0.7 is not excluded"], ["shown to lie above chance"]),
        ((0.55, 0.4, 0.7), ["auc.low > 0.7"], [], ["not excluded"]),
        ((0.55, 0.4, 0.7), ["auc.high > 0.75", "auc.low > 0.6"], [], ["not excluded"]),
        ((0.55, 0.4, 0.7), ["auc.low < 0.3", "auc.nonmembers > 90"], [], ["not excluded"]),
        ((0.55, 0.4, 0.7), ["queries.value > 9"], [], ["not excluded"]),
    ],
    ids=["at chance", "each bound", "above chance", "bound excluded", "upper end bounded", "no leak", "no chance"],
)
def test_a_gate_that_passes_says_which_bound_its_interval_holds(
    figure: tuple[float, float, float],
    conditions: list[str],
    says: list[str],
    silent_on: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured = AUC.model_copy(update=dict(zip(("value", "low", "high"), figure, strict=True)))
    result = replace(RESULT, estimates={**RESULT.estimates, "auc": measured})
    assert failed([Condition.parse(condition) for condition in conditions], result) == 0
    message = capsys.readouterr().err
    assert all(part in message for part in says), message
    assert not any(part in message for part in silent_on), message
    assert message.count("found with probability") <= 1


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("auk.low > 0.5", "'auc'"),
        ("auc.lo > 0.5", "'low'"),
        ("auc.low => 0.5", ">="),
        ("auc.low > many", "'many'"),
        ("auc.low > nan", "'nan'"),
        ("auc > 0.5", "auc.low > 0.55"),
        ("__import__('os').low", "auc.low > 0.55"),
        ("queries.chance > 0.5", "no chance"),
    ],
)
def test_what_is_no_condition_is_refused_by_what_is_wrong_with_it(condition: str, message: str) -> None:
    with pytest.raises(InvalidSpec, match=message):
        check(RESULT, condition)


@pytest.mark.parametrize(
    ("texts", "low", "status", "says"),
    [
        ("texts.csv", 0.15, 4, "not checked that they are in the order of the vectors"),
        ("texts.csv", 0.25, 4, "not checked that they are in the order of the vectors"),
        ("texts.csv", 0.55, 3, "f1.low is"),
        ("", 0.15, 0, ""),
        ("", 0.55, 3, "f1.low is"),
    ],
)
def test_conditions_on_texts_that_may_be_in_another_order_than_vectors_can_only_hold(
    texts: str, low: float, status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    f1 = Estimate(value=low + 0.05, low=low, high=low + 0.1, chance=0.2, unit="share")
    result = Result({"model": {"part": "unknown_encoder"}, "dataset": {"texts": texts}}, {"f1": f1}, PROVENANCE)
    assert failed([Condition.parse("f1.low > 0.5")], result) == status
    assert says in capsys.readouterr().err
