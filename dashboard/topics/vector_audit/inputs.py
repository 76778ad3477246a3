"""The form of a visitor's vector store: files, encoder and profile, kept in the address."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.adversaries.encoder_fit import Fit, candidates
from core.audits import growth, plan
from core.audits.plan import Step
from core.audits.profiles import PROFILES
from core.catalog import vector_audit
from core.commands import vector_report
from core.datasets.embeddings import Embeddings
from core.encoders.records import RECORDS
from core.errors import InvalidSpec, TelltaleError
from core.jobs import recognition
from core.models.encoder import Encoder
from core.runtime.store import Store
from core.statistics.vector_checks import check
from dashboard.kit import choices, glossary
from dashboard.kit.forms import one_file, table_columns
from dashboard.kit.inputs import uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import literal
from dashboard.topics.vector_audit import stored_as

VECTORS, _TEXTS, _QUERIES, _KEYWORDS, _ENCODER, _PROFILE = (
    f"view.{name}" for name in ("vectors", "texts", "queries", "keywords", "encoder", "profile")
)
_QUERY_NAMES = {"source": VECTORS, "texts": _TEXTS, "queries": _QUERIES}
NAMES = (*_QUERY_NAMES.values(), _KEYWORDS, _ENCODER, _PROFILE, *stored_as.KEYS.values())
"""Names of all fields in the address."""
_LABELS = {
    "source": "Your vectors",
    "texts": "Their texts, in the same order",
    "queries": "Queries that you search for, if you like",
}
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Summary:
    """What the checks of a store say before any attack.

    Attributes:
        checks: The checks, a sentence each.
        dimension: Numbers in a vector.
        total: Number of vectors.
        texts: Whether any vector has a text.
        attacked: Field values of the dataset as it is attacked.
        length: Length of the adversary's own embeddings.
    """

    checks: tuple[str, ...]
    dimension: int
    total: int
    texts: bool
    attacked: dict[str, object]
    length: str


def form() -> tuple[Step, ...]:
    """Draw the form; return the steps of the audit, none while an input is missing."""
    with st.container(horizontal=True, gap="medium"):
        for field in _QUERY_NAMES:
            _upload(field)
        if VECTORS in st.query_params:
            stored_as.beside([*dict.fromkeys((*_columns("source"), *_columns("texts")))])
    if VECTORS not in st.query_params:
        return ()
    stored_as.form()
    try:
        dataset = _dataset()
        summary = _summary(dataset, dataset.key)
    except TelltaleError as error:
        st.error(literal(stored_as.labelled(str(error))), icon=":material/edit:")
        return ()
    checks = "  \n".join(map(literal, summary.checks))
    st.caption(checks, help=glossary.explained(checks))
    if not summary.texts:
        st.info("What an adversary reads is compared with the texts: add the table with the text of each vector.")
        return ()
    fits = _compared(Embeddings.parse(summary.attacked))
    if any(fit.shuffled for fit in fits):
        st.error("Nothing that is read could be compared: put the texts in the order of the vectors, and upload them.")
        return ()
    recognised = next((fit for fit in fits if fit.recognised), None)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        titles = {name: RECORDS[name].title for name in candidates(summary.dimension)}
        if fits and all(fit.conclusive for fit in fits):
            first = _UNKNOWN if recognised is None else recognised.encoder
            titles = {first: "unknown", **titles} if recognised is None else {first: titles[first], **titles}
        encoder = choices.many("Encoder that made them", {**titles, _UNKNOWN: "unknown"}, _ENCODER, width=300)
        profile = PROFILES[choices.few("Profile", {name: name for name in PROFILES}, _PROFILE)]
    keywords = st.text_input(
        "Keywords whose recall is reported, with commas",
        key=_KEYWORDS,
        bind="query-params",
        max_chars=500,
        placeholder="none",
        width=420,
    )
    attacked = Embeddings.parse(summary.attacked)
    expected = profile.announced(labelled=bool(attacked.label_column))
    announcement = f"{expected} {_duration_note(profile.name)}".strip()
    st.caption(announcement, help=glossary.explained(announcement))
    encoder_values = {"source": encoder, "length": summary.length}
    if recognised is not None and recognised.encoder == encoder:
        encoder_values["pooling"] = recognised.pooling
    try:
        return plan.steps(
            attacked,
            None if encoder == _UNKNOWN else Encoder.parse(encoder_values),
            profile,
            plan.own_encoder("" if encoder == _UNKNOWN else encoder),
            plan.keywords_in(keywords or ""),
        )
    except InvalidSpec as error:
        st.error(literal(str(error)), icon=":material/edit:")
        return ()


def remember(steps: Sequence[Step]) -> None:
    """Remember that the store of the address was audited: it may grow."""
    audited = steps[0].experiment.dataset
    if isinstance(audited, Embeddings) and not audited.grown_from:
        dataset = _dataset()
        _remember(dataset, dataset.key)


def _upload(field: str) -> None:
    """Draw the upload of a file and the name of its column; the address names the last upload."""
    key = f"vector_audit/{field}"
    with st.container(width=stored_as.WIDTH):
        file = one_file.offered(_LABELS[field], uploads.VECTORS[field], key)
        if _QUERY_NAMES[field] in st.query_params or (field == "texts" and _columns("source")):
            stored_as.column(
                stored_as.OF_FILES[field], _columns(field) or (_columns("source") if field == "texts" else ())
            )
        one_file.keep(file, field, _QUERY_NAMES[field], key)


def _columns(field: str) -> tuple[str, ...]:
    """Return the columns of an upload that the address names; none where they are not known."""
    return table_columns.of(st.query_params.get(_QUERY_NAMES[field], ""), field)


def _dataset() -> Embeddings:
    """Return the store of the address; raise `InvalidSpec` where it names a file that is not the visitor's."""
    references = {field: st.query_params.get(query_name, "") for field, query_name in _QUERY_NAMES.items()}
    files = {field: uploads.locate(Store(), text, field) for field, text in references.items()}
    return Embeddings.parse({**files, **stored_as.given()})


@remembered("Looking up how long this takes")
def _duration_note(profile: str) -> str:
    """Say how long a profile took where it was measured."""
    return vector_audit.took(profile, Store())


def _compared(dataset: Embeddings) -> tuple[Fit, ...]:
    """Say which encoder made the vectors; return the fit of each encoder, none where that is unknown."""
    fits = _fits(dataset, dataset.key)
    if isinstance(fits, str):
        st.warning(literal(f"{fits} Choose the encoder yourself."), icon=":material/info:")
        return ()
    if fits:
        text = "  \n".join(literal(vector_report.encoder(fit)) for fit in vector_report.in_order(fits))
        st.caption(text, help=glossary.explained(text))
    return fits


@remembered("Comparing your vectors with the encoders on this machine")
def _fits(_dataset: Embeddings, key: str) -> tuple[Fit, ...] | str:
    """Return how each encoder fits a store, or why that is unknown; remembered by the key of the dataset."""
    try:
        return recognition.encoder_fits(_dataset)
    except TelltaleError as error:
        return str(error)


@remembered("Noting that your vectors were audited")
def _remember(_dataset: Embeddings, key: str) -> None:
    growth.remember(_dataset, _dataset.load())


@remembered("Checking your vectors")
def _summary(_dataset: Embeddings, key: str) -> Summary:
    """Check a store, remembered by the key of its dataset; raise `InvalidVectors` where it cannot be read."""
    vectors = _dataset.load()
    checks = check([vectors.values], vectors.left_out)
    grown, _ = growth.recognised(_dataset, vectors)
    attacked, length = plan.as_attacked(grown, checks)
    name, metric = Path(_dataset.source).name, _dataset.stored().metric
    sentences = vector_report.described(name, vectors, metric, checks)
    sentences += vector_report.grown(grown.grown_from, vectors.total)
    texts = any(text.strip() for text in vectors.texts)
    return Summary(tuple(sentences), checks.dimension, vectors.total, texts, attacked.as_dict(), length)
