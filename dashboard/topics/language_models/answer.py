"""The answer of attacks on language models: what the text alone reveals, then how often the attack is right."""

from functools import partial

import streamlit as st

from core.experiment import Experiment
from core.games.membership.broken_split import BROKEN, RANDOM, WARNING, is_broken
from core.report import verdict
from core.result import Result
from core.statistics.wording import percent
from core.statistics.wording.naming import capitalised, documents
from dashboard.kit import chart, links, panels, stored_results
from dashboard.kit.membership import decisions, outcome
from dashboard.kit.membership.figures import blind_baseline
from dashboard.topics.language_models.figures import over_pairs, p_values, statistics, together

_P_VALUES = (
    "The adversary compares how much likelier than its reference models the model finds a person’s documents with the "
    "same of people who are known to be out, one value a person, by Student’s test of one value against a sample "
    "(dataset inference, after Maini et al. 2024, who test single documents against unseen ones of the same source). "
    "A p-value holds as far as those people are like the one in question."
)


def show(result: Result, experiment: Experiment) -> None:
    """Draw what the text alone reveals, how often the attack is right, every statistic, the decisions, and p-values.

    Of a deliberately broken split, what the text alone reveals beside each adversary is all.
    """
    reads = result.experiment["game"].get("text_alone", "lengths")
    panels.statement(verdict.blind_baseline(result.estimates.get("accuracy_model_free"), reads))
    outcome.show(result)
    _other_split(result, experiment)
    if is_broken(result.experiment["game"]):
        return
    if len(table := over_pairs.table(result.tables["curve"])):
        chart.show(over_pairs, table, "over-pairs")
    outcome.by_size(result)
    _together(result)
    decisions.show(result, curves_above=_statistics(result))
    _p_values(result)


def _other_split(result: Result, experiment: Experiment) -> None:
    """Say what the attack has beyond the text alone with either split, where both are stored, and lead to the other."""
    broken = is_broken(result.experiment["game"])
    split = RANDOM if broken else BROKEN
    rules = {"rules": "half", "users": "emulated", "target_sizes": (1,)}
    if any(experiment.game.as_dict().get(name) not in (value, list(value)) for name, value in rules.items()):
        return
    other = experiment.replace(game=experiment.game.replace(split=split))
    other_result = stored_results.readable(other.key)
    if other_result is None:
        return
    attack = experiment.attack.part_name()
    mine, others = (blind_baseline.sentence(shown.tables["curve"], attack, "auc") for shown in (result, other_result))
    sentences = {broken: mine, not broken: others}
    panels.statement(f"Members drawn by lot: {sentences[False]}", title="The same documents, both splits")
    panels.note(f"Members by date, deliberately broken: {sentences[True]}{'' if broken else f' {WARNING}'}")
    title = "The same with members drawn by lot" if broken else "The same with the deliberately broken split"
    links.page_link(other, title, ":material/call_split:")


def _together(result: Result) -> None:
    """Draw the ways to put the scores of a person's documents together, where there are several."""
    attack = result.experiment["attack"]
    table = together.table(result.tables["curve"], attack["part"])
    if len(table):
        chart.show(together, table, "together")
        panels.note(
            f"The highest scores are those of {percent(attack['top_share'])} of a target’s documents: where a model "
            "remembers only a few of them, a mean over all hides these."
        )


def _statistics(result: Result) -> bool:
    """Draw the curves of the smallest and of the largest targets; tell whether there are no other sizes."""
    st.header("Every statistic on the same decisions", anchor=False)
    sizes = statistics.sizes(result.tables["scores"])
    panels.side_by_side(*(partial(_statistics_of, result, size) for size in sizes))
    return len(sizes) == result.tables["scores"]["size"].nunique()


def _statistics_of(result: Result, size: int) -> None:
    attack = str(result.experiment["attack"]["part"])
    tables = result.tables
    compared = tables["roc"], tables["scores"], tables["rivals"]
    points = statistics.points(*compared, result.estimates, attack, size)
    figure, text = statistics.figure(points, attack), statistics.sentence(points, attack, size)
    panels.figure(figure, points, f"statistics-{size}", text, title=f"ROC, {capitalised(documents(size))} of a target")


def _p_values(result: Result) -> None:
    """Draw the p-values of the largest targets, where the result has any."""
    if p_values.VARIANT not in set(result.tables["rivals"]["variant"]):
        return
    size = statistics.sizes(result.tables["scores"])[-1]
    points = p_values.points(result.tables["scores"], result.tables["rivals"], size)
    chart.show(p_values, points, "p-values")
    panels.note(_P_VALUES)
