"""Private training of a language model with planted secrets: stored results by epsilon, drawn together."""

from functools import partial

import streamlit as st

from core import catalog
from core.defenses.dp_sgd import DpSgd
from core.experiment import Experiment
from core.models.causal_lm import CausalLm
from core.result import Result
from dashboard.kit import chart, panels, stored_results, tabs
from dashboard.topics.canaries.figures import private

_NOTE = (
    "Exposure is log2 of the number of secrets less log2 of the rank of the true one by the model’s loss. Each copy of "
    "a secret is a document of its own, and epsilon is promised to each document: a secret in many copies has that "
    "many times less protection. {differs}: what noise hides and costs shows beside the largest epsilon, which "
    "promises almost nothing."
)
_STRETCH = (
    "Private training reads one stretch of each document that it draws, as long as the model’s context, and other "
    "training the whole"
)
_WEIGHTS = (
    "Private fine-tuning weighs documents alike, and other fine-tuning tokens, so that secrets, which are short, count "
    "for more in the former, and its step size does not fall"
)
_ATTACK = "secret_sharer"


def tab(experiment: Experiment) -> tabs.Draw | None:
    """Return what the tab of defenses draws: exposure by epsilon; None where no such results of a game are stored."""
    results = _results(experiment)
    if len(results) < 2 or float("inf") not in results:
        return None
    return partial(_draw, results, fine_tuned=isinstance(experiment.model, CausalLm))


def _draw(results: dict[float, Result], *, fine_tuned: bool) -> None:
    st.header("Under defenses", anchor=False)
    chart.show(private, private.points(results), "private")
    panels.note(_NOTE.format(differs=_WEIGHTS if fine_tuned else _STRETCH))


def _results(experiment: Experiment) -> dict[float, Result]:
    """Return the promised results that differ from an experiment in trials and private training only, by epsilon."""
    of_epsilon: dict[float, tuple[int, Result]] = {}
    for entry in catalog.entries_of(_ATTACK):
        other = entry.experiment
        promises = [defense.epsilon for defense in other.defenses if isinstance(defense, DpSgd)]
        if len(promises) < len(other.defenses) or _of_game(other) != _of_game(experiment):
            continue
        epsilon, trials = next(iter(promises), float("inf")), int(entry.values["game"]["trials"])
        if trials < of_epsilon.get(epsilon, (0, None))[0]:
            continue
        if (result := stored_results.readable(entry.key)) is not None:
            of_epsilon[epsilon] = trials, result
    return {epsilon: result for epsilon, (_, result) in of_epsilon.items()}


def _of_game(experiment: Experiment) -> dict[str, object]:
    values = experiment.as_dict()
    return {**values, "defenses": [], "game": {**values["game"], "trials": 0}}
