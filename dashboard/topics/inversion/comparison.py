"""All methods of inversion on the same texts: how well each recovers words, and what each needs."""

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.games.inversion.contract import InversionAttack
from core.registry import part
from core.result import Estimate, Result
from dashboard import navigation
from dashboard.kit import chart, panels, stored_results
from dashboard.kit.figures.wording import joined
from dashboard.topics.inversion import same_texts
from dashboard.topics.inversion.figures import comparison as charts
from dashboard.topics.inversion.paper import access


def show(result: Result, experiment: Experiment) -> None:
    """Draw F1 of every method that has a stored result for these texts, list what each needs, and name the others."""
    page_method = experiment.attack.part_name()
    compared, missing = [], []
    for method in _methods(page_method):
        other = same_texts.by_method(experiment, method)
        estimates = stored_results.readable_estimates(catalog.key(other)) if other is not None else {}
        if method == page_method:
            estimates = result.estimates
        if other is not None and "f1" in estimates:
            compared.append(_method(other, estimates, chosen=method == page_method))
        else:
            missing.append(str(part("attack", method).title))
    compared += [
        _method(variant, estimates, chosen=False)
        for variant in same_texts.variants(experiment)
        if "f1" in (estimates := stored_results.readable_estimates(catalog.key(variant)))
    ]
    st.header("Methods compared", anchor=False)
    table = charts.table(compared)
    chart.show(charts, table, "compared", drawn=compared, is_curve=len(compared) > 1)
    panels.folded_table(table, "needs", "What each method needs")
    notes = [charts.NOTE, *([f"Without a stored result for these texts: {joined(missing)}."] if missing else [])]
    panels.note(" ".join(notes))


def _methods(attack: str) -> list[str]:
    """Return the methods that share the page of an attack and recover words, as inversion does."""
    page = navigation.page_of(attack)
    return [
        method
        for method in ((attack,) if page is None else page.attacks)
        if issubclass(part("attack", method), InversionAttack)
    ]


def _method(experiment: Experiment, estimates: dict[str, Estimate], *, chosen: bool) -> charts.Method:
    attack = experiment.attack
    assert isinstance(attack, InversionAttack)
    auxiliary_texts = "texts of the same kind" if attack.auxiliary is None else f"texts of {attack.auxiliary.title}"
    return charts.Method(
        same_texts.name(experiment),
        estimates["f1"],
        access(attack),
        f"up to {attack.texts:,} {auxiliary_texts}",
        estimates.get("queries"),
        chosen,
    )
