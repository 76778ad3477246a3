"""The model that a visitor wants audited: its file, its documents, how it was trained, and how much is tried."""

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
from dashboard.kit.forms import one_file
from dashboard.kit.inputs import uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal

PLACES = {"model": "view.model", "marked": "view.marked", "words": "view.words"}
"""Where the address names each upload."""
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
class Looked:
    """What was found before anything was attacked.

    Attributes:
        said: What was read, a sentence each.
        announced: What the audit will take, by the name of a profile.
    """

    said: tuple[str, ...]
    announced: str


def form() -> Experiment | None:
    """Ask for a model and its documents; return their audit, None while something is missing."""
    with st.container(horizontal=True, gap="medium"):
        for field in PLACES:
            _upload(field)
    if not is_own():
        return None
    with st.container(horizontal=True, gap="medium"):
        for label, place, usual in _COLUMNS.values():
            with st.container(width=240):
                st.text_input(label, usual, key=place, bind="query-params", max_chars=200, placeholder="none")
    st.caption(
        "How it was trained: shadow models are trained alike. 0 is what the file says, or else gensim’s default."
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        algorithm = choices.few("Algorithm", _ALGORITHMS, _ALGORITHM)
        mode = choices.few("Mode", _MODES, _MODE)
        numbers = {name: _number(name, label) for name, label in _TRAINED.items()}
    profile = PROFILES[choices.few("Profile", {name: name for name in PROFILES}, _PROFILE)]
    try:
        audit = _audit(profile, {"algorithm": algorithm, "mode": mode, **numbers})
        looked = _look(audit, profile, f"{audit.key} {profile.name}")
    except TelltaleError as error:
        st.error(literal(_as_labelled(str(error))), icon=":material/edit:")
        if program := getattr(error, "program", ()):
            st.code("\n".join(program), language="python")
        return None
    st.caption("  \n".join(map(literal, looked.said)))
    st.caption(literal(looked.announced), help=glossary.explained(looked.announced))
    return audit


def is_own() -> bool:
    """Tell whether the address names a model and documents."""
    return all(PLACES[field] in st.query_params for field in ("model", "marked"))


def forget() -> None:
    """Go back to the audit that comes with Telltale."""
    chosen = (_PROFILE, _ALGORITHM, _MODE, *(f"view.{name}" for name in _TRAINED))
    for name in (*PLACES.values(), *chosen, *(place for _, place, _ in _COLUMNS.values())):
        st.query_params.pop(name, None)


def _number(name: str, label: str) -> int:
    most = next(rule.le for rule in OwnVectors.model_fields[name].metadata if hasattr(rule, "le"))
    with st.container(width=150):
        return int(st.number_input(label, 0, int(most), 0, key=f"view.{name}", bind="query-params"))


def _upload(field: str) -> None:
    """Draw the field of a file, and note in the address what was uploaded last."""
    key = f"model_audit/{field}"
    with st.container(width=380):
        one_file.keep(one_file.offered(_LABELS[field], uploads.MODEL_FILES[field], key), field, PLACES[field], key)


def _audit(profile: model_plan.ModelProfile, trained: dict[str, Any]) -> Experiment:
    """Return the audit of the address.

    Raises:
        InvalidSpec: It names something that this visitor has not uploaded here, or a value breaks its rule.
    """
    named = {field: st.query_params.get(place, "") for field, place in PLACES.items()}
    found = {field: uploads.locate(Store(), text, field) for field, text in named.items()}
    columns = {name: st.session_state.get(place) or "" for name, (_, place, _) in _COLUMNS.items()}
    columns = {name: text for name, text in columns.items() if text or name == "owner_column"}
    model = {"source": found["model"], "words": found["words"], **trained}
    return model_plan.experiment(model, {"source": found["marked"], **columns}, profile)


def _as_labelled(message: str) -> str:
    """Return a message with the fields of this page by their labels."""
    for column, (label, _, _) in _COLUMNS.items():
        message = message.replace(f"'{column}'", f"“{label}”")
    return message


@remembered("Reading your model")
def _look(_audit: Experiment, _profile: model_plan.ModelProfile, key: str) -> Looked:
    """Return what is read of a model and its documents, and what their audit will take.

    Raises:
        TelltaleError: They cannot be read, or are too few.
    """
    model, dataset = _audit.model, _audit.dataset
    if not isinstance(model, OwnVectors) or not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes word vectors and marked documents.", "model")
    held, reading = model.read(frozenset()), dataset.read()
    expected = model_plan.expected(_audit, reading.documents, held, _profile)
    return Looked(tuple(model_plan.described(_audit, held, reading, model.path().name)), expected.announced)
