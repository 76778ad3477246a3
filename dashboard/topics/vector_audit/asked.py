"""The store that a visitor wants audited: files, encoder and profile, kept in the address."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.adversaries.encoder_fit import Fit, candidates
from core.audits import plan
from core.audits.plan import Step
from core.audits.profiles import PROFILES
from core.catalog import vector_audit
from core.commands import vector_report
from core.datasets.embeddings import Embeddings
from core.encoders.records import RECORDS
from core.errors import TelltaleError
from core.jobs import recognition
from core.models.encoder import Encoder
from core.runtime.store import Store
from core.statistics.vector_checks import check
from dashboard.kit import choices, glossary
from dashboard.kit.forms import one_file
from dashboard.kit.inputs import uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal

VECTORS, _TEXTS, _ENCODER, _PROFILE = (f"view.{name}" for name in ("vectors", "texts", "encoder", "profile"))
_PLACES = {"source": VECTORS, "texts": _TEXTS}
_LABELS = {"source": "Your vectors", "texts": "Their texts, in the same order"}
_COLUMNS = {
    "source": ("vector_column", "Column of the vectors", "view.vector_column"),
    "texts": ("text_column", "Column of the texts", "view.column"),
}
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Looked:
    """What was found in a store before anything was attacked.

    Attributes:
        said: The checks, a sentence each.
        dimension: Numbers in a vector.
        total: Number of vectors.
        texts: Whether any of them has a text.
        attacked: Fields of the dataset as it is attacked.
        length: Length of the adversary's own embeddings.
    """

    said: tuple[str, ...]
    dimension: int
    total: int
    texts: bool
    attacked: dict[str, object]
    length: str


def form() -> tuple[Step, ...]:
    """Ask for a store; return the steps of its audit, none while something is missing."""
    with st.container(horizontal=True, gap="medium"):
        for field in _PLACES:
            _upload(field)
    if VECTORS not in st.query_params:
        return ()
    try:
        dataset = _dataset()
        looked = _look(dataset, dataset.key)
    except TelltaleError as error:
        st.error(literal(_as_labelled(str(error))), icon=":material/edit:")
        return ()
    said = "  \n".join(map(literal, looked.said))
    st.caption(said, help=glossary.explained(said))
    if not looked.texts:
        st.info("What an adversary reads is compared with the texts: add the table with the text of each vector.")
        return ()
    fits = _compared(dataset)
    if any(fit.shuffled for fit in fits):
        st.error("Nothing that is read could be compared: put the texts in the order of the vectors, and upload them.")
        return ()
    made = next((fit for fit in fits if fit.recognised), None)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        known = {name: RECORDS[name].title for name in candidates(looked.dimension)}
        if fits and all(fit.conclusive for fit in fits):
            first = _UNKNOWN if made is None else made.encoder
            known = {first: "unknown", **known} if made is None else {first: known[first], **known}
        encoder = choices.many("Encoder that made them", {**known, _UNKNOWN: "unknown"}, _ENCODER, width=300)
        profile = PROFILES[choices.few("Profile", {name: name for name in PROFILES}, _PROFILE)]
    announced = f"{profile.announced} {_took(profile.name)}".strip()
    st.caption(announced, help=glossary.explained(announced))
    how = {"source": encoder, "length": looked.length}
    if made is not None and made.encoder == encoder:
        how["pooling"] = made.pooling
    return plan.steps(
        Embeddings.parse(looked.attacked),
        None if encoder == _UNKNOWN else Encoder.parse(how),
        profile,
        plan.own_encoder("" if encoder == _UNKNOWN else encoder),
    )


def forget() -> None:
    """Go back to the audit that comes with Telltale."""
    for name in (*_PLACES.values(), _ENCODER, _PROFILE, *(place for *_, place in _COLUMNS.values())):
        st.query_params.pop(name, None)


def _upload(field: str) -> None:
    """Draw the field of a file, and note in the address what was uploaded last."""
    key = f"vector_audit/{field}"
    with st.container(width=420):
        file = one_file.offered(_LABELS[field], uploads.VECTORS[field], key)
        column, label, place = _COLUMNS[field]
        usual = Embeddings().as_dict()[column]
        st.text_input(label, usual, key=place, bind="query-params", max_chars=200, placeholder="found by its name")
        one_file.keep(file, field, _PLACES[field], key)


def _dataset() -> Embeddings:
    """Return the store of the address.

    Raises:
        InvalidSpec: It names something that this visitor has not uploaded here.
    """
    named = {field: st.query_params.get(place, "") for field, place in _PLACES.items()}
    found = {field: uploads.locate(Store(), text, field) for field, text in named.items()}
    columns = {column: st.session_state.get(place) for column, _, place in _COLUMNS.values()}
    return Embeddings.parse({**found, **{column: name for column, name in columns.items() if name}})


def _as_labelled(message: str) -> str:
    """Return a message with the fields of this page by their labels."""
    for column, label, _ in _COLUMNS.values():
        message = message.replace(f"'{column}'", f"“{label}”")
    return message


@remembered("Looking up how long this takes")
def _took(profile: str) -> str:
    """Say how long a profile took where it was measured."""
    return vector_audit.took(profile, Store())


def _compared(dataset: Embeddings) -> tuple[Fit, ...]:
    """Say which encoder made the vectors, and return how each fits; none where that could not be told."""
    fits = _fits(dataset, dataset.key)
    if isinstance(fits, str):
        st.warning(literal(f"{fits} Choose the encoder yourself."), icon=":material/info:")
        return ()
    if fits:
        said = "  \n".join(literal(vector_report.encoder(fit)) for fit in vector_report.in_order(fits))
        st.caption(said, help=glossary.explained(said))
    return fits


@remembered("Comparing your vectors with the encoders on this machine")
def _fits(_dataset: Embeddings, key: str) -> tuple[Fit, ...] | str:
    """Return how encoders fit a store, by the key of its dataset, or why that could not be told."""
    try:
        return recognition.told(_dataset)
    except TelltaleError as error:
        return str(error)


@remembered("Checking your vectors")
def _look(_dataset: Embeddings, key: str) -> Looked:
    """Return what is in a store, by the key of its dataset.

    Raises:
        InvalidVectors: It cannot be read.
    """
    vectors = _dataset.load()
    checks = check([vectors.values])
    attacked, length = plan.as_attacked(_dataset, checks)
    name, metric = Path(_dataset.source).name, _dataset.stored().metric
    said = vector_report.described(name, vectors, metric, checks)
    texts = any(text.strip() for text in vectors.texts)
    return Looked(tuple(said), checks.dimension, vectors.total, texts, attacked.as_dict(), length)
