"""What is said of a result first: whether the split gives itself away, then how often the attack is right."""

from typing import get_args

import pandas as pd
import pytest

from core import catalog
from core.experiment import Experiment
from core.games.membership.score.blind_baseline import Reads
from core.report import verdict
from core.report.sentences import lead_of, power
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.dashboard.samples import PROVENANCE


def share(value: float, low: float, high: float) -> Estimate:
    return Estimate(value=value, low=low, high=high, chance=0.5, unit="share of decisions", members=30, nonmembers=30)


@pytest.mark.parametrize(
    ("estimate", "statement"),
    [
        (share(0.5, 0.42, 0.58), "not shown to be better than chance, so the split does not explain"),
        (share(0.8, 0.7, 0.9), "The split gives itself away"),
        (share(0.38, 0.29, 0.46), "below chance: reversed answers would identify members"),
        (None, "was not measured"),
    ],
)
def test_the_blind_baseline_decides_what_may_be_said(estimate: Estimate | None, statement: str) -> None:
    assert statement in verdict.blind_baseline(estimate)


@pytest.mark.parametrize("reads", get_args(Reads))
def test_it_is_said_what_is_read_of_the_texts(reads: Reads) -> None:
    alone = share(0.5, 0.42, 0.58)
    assert len({verdict.blind_baseline(alone, each) for each in get_args(Reads)}) == len(get_args(Reads))
    assert ("how long" in verdict.blind_baseline(alone, reads)) == (reads == "lengths")


def test_a_split_that_gives_itself_away_is_said_before_the_answer() -> None:
    experiment = Experiment.preset("loss_membership", "demo")
    estimates = {"accuracy": share(0.9, 0.8, 0.95), "accuracy_model_free": share(0.633, 0.508, 0.743)}
    first, answer = verdict.sentences(experiment, Result(experiment.as_dict(), estimates, PROVENANCE, {}))
    assert first.startswith("Blind baseline") and first.endswith("not shown to come from the model.")
    assert answer.startswith(f"{experiment.attack.claimed}: right in 90%") and "chance 50%" in answer


def test_a_game_without_that_baseline_has_the_answer_alone() -> None:
    experiment = Experiment.preset("keyword_inference", "demo")
    estimates = {"accuracy": share(0.8, 0.7, 0.9)}
    (answer,) = verdict.sentences(experiment, Result(experiment.as_dict(), estimates, PROVENANCE, {}))
    assert answer.startswith(experiment.attack.claimed) and "chance, 50%" not in answer


@pytest.mark.parametrize(
    ("accuracy", "lead", "says"),
    [
        (share(0.5, 0.4, 0.6), None, "Accuracy: a leak alike for all targets that makes it 0.717 or more"),
        (share(0.5, 0.2, 0.8), None, "Accuracy: a leak alike for all targets that makes it 0.983 or more"),
        (share(0.6, 0.55, 0.7), None, ""),
        (share(0.6, 0.55, 0.7), (0.01, -0.02, 0.04), "Lead of accuracy over answers dealt to other victims: a leak"),
        (share(0.5, 0.4, 0.6), (0.05, 0.02, 0.08), ""),
        (share(1.0, 1.0, 1.0).model_copy(update={"chance": 1.0}), None, ""),
    ],
    ids=["at chance", "wider", "above chance", "no lead", "a lead", "nothing to leak"],
)
def test_an_answer_that_shows_no_leak_says_what_it_could_have_shown(
    accuracy: Estimate, lead: tuple[float, float, float] | None, says: str
) -> None:
    experiment = Experiment.preset("keyword_inference", "demo")
    estimates = {"accuracy": accuracy}
    if lead is not None:
        value, low, high = lead
        estimates["lead"] = Estimate(value=value, low=low, high=high, chance=0.0, unit="difference of rates")
    _, *beside = verdict.sentences(experiment, Result(experiment.as_dict(), estimates, PROVENANCE, {}))
    assert len(beside) == bool(says) and all(line.startswith(says) for line in beside), beside
    assert all(line.endswith("A smaller leak, or one in few targets, may be missed.") for line in beside)


def test_a_lead_is_that_of_its_figure() -> None:
    lead = Estimate(value=0.01, low=-0.02, high=0.04, chance=0.0, unit="difference of rates")
    for label, other in (("accuracy", "F1"), ("F1", "accuracy")):
        said = power(lead_of(label), lead)
        assert said.startswith(f"lead of {label} over answers dealt to other victims: a leak") and other not in said


@pytest.mark.parametrize(
    ("with_pairs", "lacking"), [([0], "3 of 4 targets"), ([0, 1], ""), ([0, 1, 2, 3], ""), ([], "4 of 4")]
)
def test_targets_without_a_telling_pair_are_counted_where_most_have_none(with_pairs: list[int], lacking: str) -> None:
    experiment = Experiment.preset("word_pairs", "demo")
    tables = {"pairs": pd.DataFrame({"target": with_pairs}), "scores": pd.DataFrame({"target": [0, 1, 2, 3]})}
    sentence = verdict.without_pairs(Result(experiment.as_dict(), {}, PROVENANCE, tables))
    assert sentence.startswith(lacking) and ("no telling pair" in sentence) == bool(lacking)
    assert verdict.without_pairs(Result(experiment.as_dict(), {}, PROVENANCE, {})) == ""


def test_of_too_few_targets_it_is_said_first_that_nothing_follows() -> None:
    demo = Experiment.preset("loss_membership", "demo")
    few = demo.replace(game=demo.game.replace(targets=2, target_sizes=(1,)))
    estimates = {"accuracy": share(0.5, 0.0, 1.0), "accuracy_model_free": share(0.5, 0.0, 1.0)}
    first, *_ = verdict.sentences(few, Result(few.as_dict(), estimates, PROVENANCE, {}))
    assert first.startswith("Nothing can be concluded from fewer than 4 targets") and first.endswith("has 2.")
    assert not verdict.too_few(demo.game)
    assert not verdict.too_few(Experiment.preset("keyword_inference", "demo").game)


def test_of_equal_scores_it_is_said_that_there_is_nothing_to_decide_on() -> None:
    experiment = Experiment.preset("loss_membership", "demo")
    scores = pd.DataFrame({"size": 1, "member": [True, False], "score": 0.0, "guess": True})
    for score, silent in ((0.0, True), ([0.0, 1.0], False)):
        result = Result(
            experiment.as_dict(), {"accuracy": share(0.5, 0.4, 0.6)}, PROVENANCE, {"scores": scores.assign(score=score)}
        )
        assert ("nothing to decide on" in " ".join(verdict.sentences(experiment, result))) == silent


@pytest.mark.parametrize(
    ("accuracy", "auc", "informative"),
    [
        (share(0.54, 0.4, 0.67), share(0.89, 0.75, 0.96), True),
        (share(0.54, 0.4, 0.67), share(0.55, 0.4, 0.7), False),
        (share(0.54, 0.4, 0.67), share(0.6, 0.505, 0.68), False),
        (share(0.8, 0.7, 0.9), share(0.89, 0.75, 0.96), False),
    ],
    ids=["the scores tell more", "neither", "not for both sizes at once", "the decisions tell already"],
)
def test_scores_that_tell_members_are_no_silence(accuracy: Estimate, auc: Estimate, informative: bool) -> None:
    experiment = Experiment.preset("loss_membership", "demo")
    nothing = share(0.5, 0.4, 0.6)
    estimates = {"accuracy_1": nothing, "accuracy_5": accuracy, "auc_1": nothing, "auc_5": auc}
    sentences = " ".join(verdict.sentences(experiment, Result(experiment.as_dict(), estimates, PROVENANCE, {})))
    assert ("tell members all the same: their AUC is 0.89 (0.75–0.96)" in sentences) == informative


def test_scores_tell_nothing_where_the_text_alone_ranks_as_well() -> None:
    experiment = Experiment.preset("loss_membership", "demo")
    alone = {"chance": 0.991}
    estimates = {
        "accuracy_1": share(0.966, 0.945, 0.979).model_copy(update={"chance": 0.948}),
        "auc_1": share(0.994, 0.987, 0.998).model_copy(update=alone),
    }
    sentences = " ".join(verdict.sentences(experiment, Result(experiment.as_dict(), estimates, PROVENANCE, {})))
    assert "tell members all the same" not in sentences


@pytest.mark.parametrize(("perplexity", "untaught"), [(2996.0, True), (2600.0, False)])
def test_a_model_that_has_learnt_nothing_is_no_proof_of_its_defense(perplexity: float, untaught: bool) -> None:
    quality = Estimate(value=perplexity, low=perplexity, high=perplexity, chance=3002, unit="words")
    assert ("learnt next to nothing" in verdict.untaught({"perplexity_train": quality})) == untaught
    assert verdict.untaught({}) == ""


def test_an_epsilon_is_said_with_its_delta_and_whom_it_protects() -> None:
    entry = next(each for each in catalog.entries_of("likelihood_ratio") if each.name.endswith("epsilon_128_owner"))
    result = Result.load(Store(), entry.key)
    assert result is not None
    *_, last = verdict.sentences(entry.experiment, result)
    assert all(fact in last for fact in ("epsilon of 128", "each owner", "delta of 1e-05"))
    assert verdict.promised({}) == []
