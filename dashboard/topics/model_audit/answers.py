"""The form of a model that a visitor may only ask: documents up, questions down, answers up."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import streamlit as st

from core.audits import answer_plan
from core.audits.model_plan import PROFILES
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.runtime.store import Store
from core.sources.answers.forms import Kind, of_kind
from core.sources.answers.questions import Questions
from dashboard.kit import choices, glossary
from dashboard.kit.inputs import uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal
from dashboard.topics.model_audit import fields

QUERY_NAMES = {"asked": "view.asked", "answers": "view.answers"}
"""Query name of each upload in the address."""
_LABELS = {"asked": "Documents to ask about, marked in or out", "answers": "The answers, a JSON object a line"}
_COLUMNS = {
    "text_column": ("Column of the texts", "view.asked_text", "text"),
    "member_column": ("Column that says in or out", "view.asked_member", "member"),
    "owner_column": ("Column of the owners", "view.asked_owner", ""),
    "label_column": ("Column of the classes", "view.asked_class", ""),
}
_KINDS = {"classifier": "A classifier", "language_model": "A language model"}
_KIND, _PROFILE = "view.asked_kind", "view.asked_profile"
_PUT = "Put each text to the model as it is, and write down {forms}. The first line of the answers repeats {line}."


@dataclass(frozen=True)
class Asked:
    """The questions about a visitor's documents.

    Attributes:
        questions: The questions.
        readings: What was read, and how much is asked, a sentence each.
        shown: The questions as they are downloaded, which name no path of the server.
    """

    questions: Questions
    readings: tuple[str, ...]
    shown: Questions


def form() -> Experiment | None:
    """Draw the form; return the audit, None while questions are not answered."""
    fields.upload("asked", _LABELS["asked"], QUERY_NAMES["asked"])
    if QUERY_NAMES["asked"] not in st.query_params:
        return None
    fields.name_columns(_COLUMNS, QUERY_NAMES["asked"], "asked")
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        kind = cast(Kind, choices.few("What answers", _KINDS, _KIND))
        profile = choices.few("Profile", {name: name for name in PROFILES}, _PROFILE)
        taken = fields.near_copies("view.asked_near_copies")
    try:
        audit = _audit(kind, profile, taken)
        asked = _asked(audit, profile, f"{audit.key} {profile}")
        _offer(asked)
        fields.upload("answers", _LABELS["answers"], QUERY_NAMES["answers"])
        if not is_answered():
            return None
        audit = _audit(
            kind, profile, taken, uploads.locate(Store(), st.query_params[QUERY_NAMES["answers"]], "answers")
        )
    except TelltaleError as error:
        _tell(error)
        return None
    try:
        _check(audit, asked.questions, audit.key)
    except TelltaleError as error:
        _tell(error)
        _offer_rest(audit, asked)
        return None
    return audit


def _tell(error: TelltaleError) -> None:
    st.error(literal(fields.as_labelled(str(error), _COLUMNS)), icon=":material/edit:")


def is_answered() -> bool:
    """Tell whether the address names documents and answers."""
    return all(name in st.query_params for name in QUERY_NAMES.values())


def _offer(asked: Asked) -> None:
    """Draw what was read, and the questions to download."""
    st.caption("  \n".join(literal(fields.as_labelled(reading, _COLUMNS)) for reading in asked.readings))
    questions = asked.questions
    put = _PUT.format(
        forms="; or ".join(form.gives for form in of_kind(questions.kind)),
        line=f'`{{"questions": "{questions.checksum[:12]}…"}}`',
    )
    st.markdown(put, help=glossary.explained(put))
    _download(f"{len(questions.texts):,} questions", asked.shown.written(), answer_plan.QUESTIONS, "audit.questions")


def _offer_rest(audit: Experiment, asked: Asked) -> None:
    """Draw the questions that have no answer yet, to download."""
    if left := answer_plan.left(audit, asked.questions):
        label = f"{len(left):,} {'question' if len(left) == 1 else 'questions'} without an answer"
        _download(label, asked.shown.written(left), "rest.jsonl", "audit.rest")


def _download(label: str, lines: Iterable[str], name: str, key: str) -> None:
    content = "".join(f"{line}\n" for line in lines).encode()
    icon = ":material/download:"
    st.download_button(label, content, name, "application/jsonl", key=key, icon=icon, on_click="ignore")


def _audit(kind: Kind, profile: str, taken: dict[str, str], answers: str = "") -> Experiment:
    """Return the audit of the address; raise `InvalidSpec` for another visitor’s file or a wrong value."""
    path = uploads.locate(Store(), st.query_params[QUERY_NAMES["asked"]], "asked")
    documents = {"source": path, **fields.named(_COLUMNS), **taken}
    return answer_plan.experiment(kind, documents, PROFILES[profile], answers=answers)


def _dataset(audit: Experiment) -> OwnMarkedDocuments:
    if not isinstance(audit.dataset, OwnMarkedDocuments):
        raise InvalidSpec("Questions are about marked documents of your own.", "dataset")
    return audit.dataset


@remembered("Reading your documents")
def _asked(_audit: Experiment, _profile: str, key: str) -> Asked:
    """Return the questions of an audit; raise `TelltaleError` where the documents allow none."""
    dataset = _dataset(_audit)
    reading = dataset.read()
    asked = answer_plan.questions(_audit, reading.documents)
    announced = answer_plan.announced(asked, reading.documents, _audit, PROFILES[_profile])
    values: dict[str, Any] = {**asked.experiment, "dataset": {**dataset.as_dict(), "source": Path(dataset.source).name}}
    return Asked(asked, (reading.summary(), announced), replace(asked, experiment=values))


@remembered("Reading the answers")
def _check(_audit: Experiment, _asked: Questions, key: str) -> None:
    """Raise `TelltaleError` where answers do not fit, or cannot be read."""
    answer_plan.checked(_audit, _asked, _dataset(_audit).load())
