"""Defenses of a fine-tuned language model, and adapters that people take for one: what they hide and what they cost."""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from core.defenses.early_stopping import EarlyStopping
from core.experiment import Experiment
from core.models.causal_lm import CausalLm
from core.result import Result
from dashboard.kit import both_adversaries, chart, landing, related, tabs
from dashboard.kit.membership import canary_audit
from dashboard.kit.related import Related
from dashboard.kit.words import literal
from dashboard.topics.language_models.figures import trade_off

NOTE = (
    "Each point is a game of its own: target models and the adversary’s shadow models are trained alike, under the "
    "same defense. Where there is one other than early stopping, the adversary trains as many more without it, and "
    "decides by the kind that does better on its own texts, for each statistic by itself. Adapters of a low rank learn "
    "less of everything: compare them with all weights trained for as long as gives the same perplexity."
)
ASIDE = (
    "Early stopping sets a tenth of the documents aside to stop by. They count as members, since whoever trains holds "
    "them, but nothing is trained on them: that alone lowers the AUC."
)


def tab(experiment: Experiment, result: Result) -> tabs.Draw | None:
    """Return what the tab of defenses draws; None where there is nothing to compare with."""
    curve = _curve(experiment, result)
    return partial(show, experiment, curve) if len(curve) > 1 else None


def show(experiment: Experiment, curve: list[Related]) -> None:
    """Draw leak against perplexity of each training, both adversaries, links, and audits of private training."""
    st.header("Under defenses", anchor=False)
    naive = tuple(both_adversaries.naive_twin(each.experiment) for each in curve)
    chart.show(trade_off, trade_off.points(tuple(each.result for each in curve), naive), "trade-off")
    stops_early = any(isinstance(defense, EarlyStopping) for each in curve for defense in each.experiment.defenses)
    st.caption(literal(f"{NOTE} {ASIDE}" if stops_early else NOTE))
    both_adversaries.show((each.experiment for each in curve), experiment)
    others = (each.experiment for each in curve if each.experiment != experiment)
    for training, settings in _by_training(others).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(literal(training), width="content")
            for setting, other in settings.items():
                related.link(other, setting)
    canary_audit.show(experiment)


def _by_training(experiments: Iterable[Experiment]) -> dict[str, dict[str, Experiment]]:
    """Return experiments by their training and setting, in the order of the figure."""
    by_training: dict[str, dict[str, Experiment]] = {}
    for experiment in sorted(experiments, key=lambda each: trade_off.standing(*trade_off.place(each))):
        training, setting, _ = trade_off.place(experiment)
        by_training.setdefault(training, {})[setting] = experiment
    return by_training


def _curve(experiment: Experiment, result: Result) -> list[Related]:
    """Return the stored results that differ from this one in training and defenses only, this one first.

    All are of adversaries that know the defense: of a naive one, the adaptive twin is among them in its place.
    """
    if not _is_one(experiment):
        return []
    adaptive = both_adversaries.by_adaptive(experiment)
    stored, _ = related.find(experiment, partial(_alike, adaptive))
    return [Related(experiment, result), *stored] if experiment == adaptive else stored


def _alike(experiment: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments fine-tune the same base on the same texts, in the same game."""
    differing = landing.differing(experiment, other, ("dataset", "game", "attack", "seed"))
    return not differing and _is_one(other) and _read(other) == _read(experiment)


def _is_one(experiment: Experiment) -> bool:
    return isinstance(experiment.model, CausalLm) and len(experiment.defenses) < 2


def _read(experiment: Experiment) -> tuple[object, ...]:
    values = experiment.model.as_dict()
    return tuple(values[name] for name in ("base", "revision", "context"))
