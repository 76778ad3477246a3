"""The form of a visitor's model: its file, its documents, its training, and the profile of the audit."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.audits import model_plan
from core.audits.model_plan import PROFILES
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.models.own_word_vectors import OwnVectors
from core.runtime.store import Store
from dashboard.kit import choices, glossary
from dashboard.kit.inputs import uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal
from dashboard.topics.model_audit import fields

QUERY_NAMES = {"model": "view.model", "marked": "view.marked", "words": "view.words"}
"""Query name of each upload in the address."""
_LABELS = {
    "model": "Your word vectors",
    "marked": "Their documents, marked in or out",
    "words": "List of words (.npy and .safetensors only)",
}
_COLUMNS = {
    "text_column": ("Column of the texts", "view.text_column", "text"),
    "member_column": ("Column that says in or out", "view.member_column", "member"),
    "owner_column": ("Column of the owners", "view.owner_column", ""),
}
_TRAINED = {"epochs": "Epochs", "window": "Window", "minimum_count": "Minimum count"}
_ALGORITHMS = {"word2vec": "word2vec", "fasttext": "fastText", "glove": "GloVe"}
_MODES = {"as read": "as read, else CBOW", "cbow": "CBOW", "skip_gram": "skip-gram"}
_PROFILE, _ALGORITHM, _MODE = "view.profile", "view.algorithm", "view.mode"


@dataclass(frozen=True)
class Summary:
    """What was read before any attack.

    Attributes:
        readings: What was read, a sentence each.
        announcement: The work and time that the audit will take.
    """

    readings: tuple[str, ...]
    announcement: str


def form() -> Experiment | None:
    """Draw the form; return the audit, None while an input is missing."""
    with st.container(horizontal=True, gap="medium"):
        for field in QUERY_NAMES:
            fields.upload(field, _LABELS[field], QUERY_NAMES[field])
    if not is_own():
        _ask_for_rest()
        return None
    fields.name_columns(_COLUMNS, QUERY_NAMES["marked"], "marked")
    st.caption(
        "How it was trained: shadow models are trained alike. 0 is what the file says, or else gensim’s default."
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        algorithm = choices.few("Algorithm", _ALGORITHMS, _ALGORITHM)
        mode = choices.few("Mode", _MODES, _MODE)
        numbers = {name: _number(name, label) for name, label in _TRAINED.items()}
    with st.container(horizontal=True, gap="medium"):
        profile = PROFILES[choices.few("Profile", {name: name for name in PROFILES}, _PROFILE)]
        taken = fields.near_copies("view.near_copies")
    try:
        audit = _audit(profile, {"algorithm": algorithm, "mode": mode, **numbers}, taken)
        summary = _summary(audit, profile, f"{audit.key} {profile.name}")
    except TelltaleError as error:
        _tell(error)
        return None
    st.caption("  \n".join(literal(fields.in_words(reading)) for reading in summary.readings))
    st.caption(
        literal(fields.as_labelled(summary.announcement, _COLUMNS)), help=glossary.explained(summary.announcement)
    )
    return audit


def is_own() -> bool:
    """Tell whether the address names a model and documents."""
    return all(QUERY_NAMES[field] in st.query_params for field in ("model", "marked"))


def _ask_for_rest() -> None:
    """Say which of model and documents is still missing; of a model alone, first whether it can be read."""
    missing = [field for field in ("model", "marked") if QUERY_NAMES[field] not in st.query_params]
    if len(missing) != 1:
        return
    if missing == ["marked"]:
        try:
            files = _files("model", "words")
            model = OwnVectors(source=files["model"], words=files["words"])
            _check(model, model.key)
        except TelltaleError as error:
            _tell(error)
            return
    st.info(f"Upload “{_LABELS[missing[0]]}”, too.")


def _tell(error: TelltaleError) -> None:
    """Show why a model or its documents are refused, with the lines of Python that help, if there are any."""
    st.error(literal(fields.as_labelled(str(error), _COLUMNS)), icon=":material/edit:")
    if program := getattr(error, "program", ()):
        st.code("\n".join(program), language="python")


def _number(name: str, label: str) -> int:
    most = next(rule.le for rule in OwnVectors.model_fields[name].metadata if hasattr(rule, "le"))
    with st.container(width=150):
        return int(st.number_input(label, 0, int(most), 0, key=f"view.{name}", bind="query-params"))


def _audit(profile: model_plan.ModelProfile, trained: dict[str, Any], taken: dict[str, str]) -> Experiment:
    """Return the audit of the address; raise `InvalidSpec` for another visitor’s file or a wrong value."""
    files = _files(*QUERY_NAMES)
    model = {"source": files["model"], "words": files["words"], **trained}
    documents = {"source": files["marked"], **fields.named(_COLUMNS), **taken}
    return model_plan.experiment("word_vectors", model, documents, profile)


def _files(*names: str) -> dict[str, str]:
    """Return the paths of uploads that the address names; raise `InvalidSpec` for another visitor’s."""
    return {field: uploads.locate(Store(), st.query_params.get(QUERY_NAMES[field], ""), field) for field in names}


@remembered("Reading your model")
def _check(_model: OwnVectors, key: str) -> None:
    """Raise `TelltaleError` where a model cannot be read."""
    _model.read(frozenset())


@remembered("Reading your model")
def _summary(_audit: Experiment, _profile: model_plan.ModelProfile, key: str) -> Summary:
    """Read a model and its documents, and say what their audit will take.

    Raises:
        TelltaleError: They cannot be read, or the documents are too few.
    """
    model, dataset = _audit.model, _audit.dataset
    if not isinstance(model, OwnVectors) or not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes word vectors and marked documents.", "model")
    word_vectors, reading = model.read(frozenset()), dataset.read()
    expected = model_plan.expected(_audit, reading.documents, word_vectors, _profile)
    settings = model_plan.hyperparameters(_audit, reading.documents)
    described = model_plan.described(word_vectors, reading, model.path().name, settings)
    return Summary(tuple(described), expected.announced)
