"""Names in conditions are checked before an experiment runs, and its result after."""

import re

import pytest

from core import catalog
from core.__main__ import main
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.report import reasons
from core.report.condition import Condition
from core.report.gate import check_names, nonmembers
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store


@pytest.mark.parametrize(
    ("attack", "condition", "nearest"),
    [
        ("word_pair_audit", "auk.low > 0.55", "'auc'"),
        ("word_pair_audit", "auc_model_fre.low > 0.55", "'auc_model_free'"),
        ("language_model_audit", "auc_rmai.low > 0.55", "'auc_rmia'"),
        ("classifier_audit", "acuracy_confidence.low > 0.55", "'accuracy_confidence'"),
        ("keyword_inference", "acuracy.low > 0.55", "'accuracy"),
    ],
)
def test_a_misspelt_name_is_refused_before_the_run_with_the_nearest(attack: str, condition: str, nearest: str) -> None:
    with pytest.raises(InvalidSpec, match=f"{attack} gives no estimate .*Did you mean {nearest}"):
        reasons(Experiment.preset(attack, "demo"), condition)


def test_the_command_refuses_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "word_pair_audit", "--set", "dataset.marks=5", "--fail-if", "auk.low > 0.55"]) == 1
    assert "Did you mean 'auc'?" in capsys.readouterr().err


@pytest.mark.parametrize("attack", ["word_pair_audit", "language_model_audit", "keyword_inference"])
def test_every_estimate_that_ships_may_be_named(attack: str) -> None:
    for entry in catalog.entries_of(attack)[:3]:
        result = Result.load(Store(), entry.key)
        assert result is not None
        names = [*result.estimates, "auc" if attack.endswith("audit") else "accuracy_of_some_word"]
        check_names(entry.experiment, [Condition(name, "low", ">", 0.0) for name in names], Store())


def test_what_too_few_non_members_can_show_is_refused_before_the_run() -> None:
    demo, context = Experiment.preset("loss_membership", "demo", seed=99), RunContext(store=Store())
    with pytest.raises(InvalidSpec, match=r"50 decisions about non-members; 1,000 are needed\. Ask about auc_loss_5,"):
        reasons(demo, "tpr_at_0.1pct_fpr_loss_5.low > 0.5", context=context)
    assert not context.trainings
    check_names(demo, [Condition("tpr_at_1pct_fpr", "low", ">", 0.5)], context.store)


@pytest.mark.parametrize("name", ["tpr_at_1pct_fpr", "tpr_at_1pct_fpr_20", "tpr_at_0.1pct_fpr"])
@pytest.mark.parametrize("rules", ["independent", "half"])
def test_the_fewest_plays_or_targets_that_show_a_rate_are_named(name: str, rules: str) -> None:
    demo = Experiment.preset("word_pairs", "demo")
    demo, conditions = demo.replace(game=demo.game.replace(rules=rules)), [Condition(name, "low", ">", 0.5)]
    with pytest.raises(InvalidSpec) as refused:
        check_names(demo, conditions, Store())
    named = re.search(r"set 'plays' to (\d+), or set 'targets' to (\d+) if there are documents", str(refused.value))
    assert named is not None, refused.value
    for parameter, value in zip(("plays", "targets"), map(int, named.groups()), strict=True):
        check_names(demo.replace(game=demo.game.replace(**{parameter: value})), conditions, Store())
        with pytest.raises(InvalidSpec, match="not measurable"):
            check_names(demo.replace(game=demo.game.replace(**{parameter: value - 1})), conditions, Store())


def test_plays_beyond_their_bound_are_not_named() -> None:
    demo = Experiment.preset("word_pairs", "demo")
    few = demo.replace(game=demo.game.replace(plays=4, targets=2))
    with pytest.raises(InvalidSpec, match=r"Ask about auc, or set 'targets' to \d+ if there are documents"):
        check_names(few, [Condition("tpr_at_0.1pct_fpr", "low", ">", 0.5)], Store())


def test_the_marks_that_show_a_rate_of_an_audit_are_named() -> None:
    conditions = [Condition("tpr_at_0.1pct_fpr", "low", ">", 0.5)]
    with pytest.raises(InvalidSpec, match=r"set 'targets' to 1,000, for which 1,999 documents in and 1,000 out must"):
        check_names(Experiment.preset("word_pair_audit", "demo"), conditions, Store())


@pytest.mark.parametrize("attack", ["loss_membership", "word_pairs", "word_pair_audit"])
def test_decisions_about_non_members_are_counted_before_the_run_as_after_it(attack: str) -> None:
    for entry in (entry for entry in catalog.entries_of(attack) if entry.experiment.dataset.card.offline):
        result = Result.load(Store(), entry.key, tables=False)
        assert result is not None
        counted = nonmembers(entry.experiment)
        assert counted, entry.name
        for size, count in counted.items():
            assert result.estimates[f"auc_{size}" if size else "auc"].nonmembers == count


def test_reasons_say_which_conditions_hold() -> None:
    entry = catalog.entries_of("keyword_inference")[0]
    context = RunContext(store=Store())
    (reason,) = reasons(entry.experiment, "accuracy.low > 0.5", "accuracy.low > 1", context=context)
    assert reason.startswith("accuracy.low is ")
    assert reasons(entry.experiment, "accuracy.low > 1", context=context) == []
