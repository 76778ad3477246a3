"""Sections of the audit of a model: the blind baseline, the answer, the figures, the documents, and the limits."""

import pandas as pd
import streamlit as st

from core.audits import answer_plan
from core.audits.asked_about import AskedAbout
from core.audits.blind_words import blind_reads
from core.audits.exposed_owners import ONE_SCORE, exposed_owners
from core.audits.model_verdict import ModelVerdict, answered_by, verdict
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import glossary, panels
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal
from dashboard.topics.model_audit import fields
from dashboard.topics.model_audit.figures import areas, documents

_FIGURES = {
    "auc_model_free": "AUC, blind baseline",
    "auc": "AUC of the attack",
    "tpr_at_1pct_fpr": "TPR at 1% FPR",
}


def answer(result: Result) -> None:
    """Draw the blind baseline, the answer, and the figures behind both."""
    conclusion = _concluded(result)
    with st.container(key="answer", gap=None):
        panels.statement(conclusion.findings[0])
        st.markdown(f"**{literal(conclusion.headline)}**", help=glossary.explained(conclusion.headline))
    panels.estimates(result, {name: label for name, label in _FIGURES.items() if name in result.estimates})


def findings(result: Result) -> None:
    """Draw the figures and sentences behind the answer."""
    aucs = areas.table(result.tables["figures"], answered_by(result.estimates), blind_reads(result.experiment))
    unit = AskedAbout.of(result).unit
    st.header(areas.title(unit), anchor=False)
    panels.figure(areas.figure(aucs, unit), aucs, "model-audit", areas.sentence(aucs), called=areas.title(unit))
    panels.listing(_concluded(result).findings[1:])


def exposed(result: Result, attack: str, *, named: bool) -> None:
    """Draw the members with the highest scores, by their numbers; owners by their names only if ``named``."""
    table = documents.table(result.tables["scores"], result.tables["targets"], attack, named)
    unit = AskedAbout.of(result).unit
    panels.folded_table(table, "model-audit-documents", documents.title(unit), documents.columns(unit))


def owners(audit: Experiment, result: Result) -> None:
    """Draw how exposed each owner is, by name and with an interval, where the documents name owners."""
    if not audit.dataset.names_owners():
        return
    try:
        table = _exposed_owners(audit, result, audit.key)
    except TelltaleError:  # the documents are gone; the result stays
        return
    panels.folded_table(table, "model-audit-owners", documents.OWNERS, documents.OWNER_COLUMNS)
    if AskedAbout.of(result).unit == "owner":
        st.caption(ONE_SCORE)


@remembered("Looking up whose documents they are")
def _exposed_owners(_audit: Experiment, _result: Result, key: str) -> pd.DataFrame:
    return exposed_owners(_audit, _result, _audit.dataset.load())


def limits(result: Result) -> None:
    """Draw what the figures do not say."""
    st.header("Limits", anchor=False)
    panels.listing([fields.as_labelled(fields.in_words(limit), {}) for limit in _concluded(result).limits])


def _concluded(result: Result) -> ModelVerdict:
    """Return the verdict on a model that was held, or that was known by its answers."""
    kind = answer_plan.kind_of(result.experiment["attack"]["part"])
    figures, about = result.estimates, AskedAbout.of(result)
    return verdict(figures, None, about) if kind is None else answer_plan.concluded(kind, figures, about)
