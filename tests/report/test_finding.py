"""The finding: the clearest leak or that there is none, and what limits it."""

from typing import Any

import pytest

from core.experiment import Experiment
from core.report import build
from core.report.finding import finding
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.dashboard.samples import PROVENANCE


def test_the_finding_is_the_clearest_leak_or_that_there_is_none() -> None:
    leak, none = _run("Windows", 0.8), _run("Pairs", 0.45)
    assert finding([leak]) == [
        "Windows finds a leak. Accuracy: 0.900 [0.800, 1.000], chance 0.500.",
        "The blind baseline, from the texts alone, gives 0.500 [0.400, 0.600], chance 0.500: not shown to be above it.",
    ]
    assert finding([none, leak])[0].startswith("1 of 2 attacks finds a leak, most clearly Windows. ")
    assert finding([none, none])[0].startswith(
        "The attack finds no leak in its main figure, in 2 runs, closest Pairs. "
    )
    behind = leak | {"key": "other", "title": "Windows behind noise"}
    assert finding([none, leak, behind])[0].startswith(
        "1 of 2 attacks finds a leak, in 2 of 3 runs, most clearly Windows. "
    )
    biased = _run("Pairs", 0.8)
    biased["headline"][0]["alone"] |= {"low": 0.55}
    assert finding([biased])[1].endswith("only what exceeds this is a leak of the model.")
    none["headline"][0]["alone"] = None
    assert finding([none])[1] == "Up to 0.650 is not excluded."
    assert finding([none | {"above": {"count": 1}}])[1].startswith("Other figures lie above chance, corrected")
    none["headline"][0]["judged"] = {"low": float("nan"), "chance": 0.5}
    assert finding([none]) == ["No figure of this report can be compared with chance."]


def test_runs_that_find_no_leak_are_not_counted_among_those_that_do() -> None:
    leak, none = _run("Windows", 0.8), _run("Windows", 0.45) | {"key": "without", "title": "Windows without"}
    assert finding([leak, none])[0].startswith("The attack finds a leak, in 1 of 2 runs, most clearly Windows. ")
    other = _run("Pairs", 0.7)
    assert finding([leak, none, other])[0].startswith("2 of 2 attacks find a leak, in 2 of 3 runs, most clearly ")


def test_figures_that_lie_above_chance_before_correction_alone_are_said_after_a_finding_of_no_leak() -> None:
    none, leak = _run("Pairs", 0.45), _run("Windows", 0.8)
    area = {"label": "AUC", "value": 0.6, "low": 0.51, "high": 0.7, "chance": 0.5}
    close = none | {"above": {"count": 0, "of": 4, "uncorrected": [area]}}
    said = finding([close])
    assert said[1] == (
        "By its own interval, 1 of 4 figures lies above chance, but none after correction for their number: AUC 0.600 "
        "[0.510, 0.700], chance 0.500."
    )
    assert said[2:] == finding([none])[1:], "what the blind baseline gives follows"
    both = [area, {**area, "label": "AUC, RMIA", "value": 0.62}]
    withheld = [{**figure, "label": None} for figure in both]
    several, unnamed = (
        finding([none | {"above": {"count": 0, "of": 9, "uncorrected": each}}])[1] for each in (both, withheld)
    )
    assert (
        several.startswith("By their own intervals, 2 of 9 figures lie above chance") and "; AUC, RMIA 0.62" in several
    )
    assert unnamed.endswith("number, withheld by name.")
    assert finding([none, close])[1].startswith("Other figures lie above chance by their own intervals, but none after")
    assert finding([leak, close])[1:] == finding([leak, none])[1:], "a leak is found"


def _run(title: str, low: float) -> dict[str, Any]:
    figure = {"label": "accuracy", "value": low + 0.1, "low": low, "high": low + 0.2, "chance": 0.5}
    alone = {"label": "accuracy, blind baseline", "value": 0.5, "low": 0.4, "high": 0.6, "chance": 0.5}
    judged = {**figure, "by_lead": False, "alone": alone, "judged": figure}
    of = {"attack_title": title, "dataset": "Texts", "model": "A model"}
    return {
        "key": title,
        "title": title,
        **of,
        "headline": [judged],
        "above": {"count": 0, "uncorrected": []},
        "conclusive": None,
    }


@pytest.mark.parametrize(("inside", "leaks"), [(50, True), (55, False)])
def test_an_accuracy_that_one_answer_each_time_would_reach_shows_no_leak(
    store: Store, inside: int, leaks: bool
) -> None:
    counts = {"members": inside, "nonmembers": 100 - inside}
    accuracy = Estimate(value=0.6, low=0.52, high=0.68, chance=0.5, unit="share of decisions", **counts)
    experiment = Experiment.preset("word_pairs", "demo")
    Result(experiment.as_dict(), {"accuracy_20": accuracy}, PROVENANCE, {}).save(store, experiment.key)
    evidence = build([experiment.key], store)
    side = "against" if leaks else "neither"
    (sentence,) = [text for text in evidence["evidence"][side] if "accuracy" in text]
    assert ("finds a leak" in evidence["finding"][0]) is leaks
    assert ("One and the same answer each time gives 0.550, which it includes" in sentence) is not leaks
