"""A visitor's own documents or translations in a form: the upload, and what is read from it."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core import fitting
from core.datasets import Dataset
from core.datasets.documents import Documents
from core.datasets.embeddings import Embeddings
from core.datasets.requests.own_requests import OwnRequests
from core.datasets.translations.parallel_text import ParallelText
from core.errors import TelltaleError
from core.experiment import Experiment
from core.fitting import Fit, is_checked
from core.runtime.store import Store
from core.spec import Spec
from core.statistics.wording.naming import counted
from dashboard.kit import visitors
from dashboard.kit.forms import upload_limit
from dashboard.kit.inputs import kept_uploads, uploads
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import curled, literal

_OWN = Documents | ParallelText | OwnRequests | Embeddings
_FIELDS = {
    "documents": (
        "Your documents",
        "One CSV, TSV, JSON lines (these also as .gz) or Parquet file with a column of texts, or .txt files.",
    ),
    "parallel_text": ("Your translations", "One CSV or TSV file with the columns source and target."),
    "own_requests": (
        "Your requests",
        "JSON lines with words, slots and intent, or .txt files with a word and its tag a line.",
    ),
}
"""Label and help of the field of an upload, by the name of the dataset."""
_LEFT_OUT = (
    "Of documents that share most of their runs of six words, the longest is kept. “Near copies”, under “Fine "
    "settings”, takes the others in again."
)


def upload(store: Store, dataset: Spec, value: str, path: str, key: str) -> str:
    """Draw the field of an upload, and return the path of the last upload; empty without one.

    Args:
        store: Keeps what is uploaded.
        dataset: What reads it.
        value: The path so far.
        path: Dotted path of the field.
        key: Begins the names of the field in the session.

    Raises:
        TelltaleError: The files cannot be documents together, or cannot be stored.
    """
    name, kinds = _FIELDS[dataset.part_name()]
    files = st.file_uploader(
        name,
        list(uploads.TYPES[dataset.part_name()]),
        accept_multiple_files=True,
        key=f"{key}/files",
        help=f"{kinds} They stay on this machine until you delete them on the page Runs. {upload_limit.rule()} "
        f"{kept_uploads.rule()}",
    )
    upload_limit.show(files)
    if not files:
        if value:
            st.caption(
                literal(f"{Path(value).name} is still read, and stays here until you delete it on the page Runs.")
            )
        return value
    read = uploads.read_together(files)
    if len(read) < len(files):
        last = files[-1].name if len(read) == 1 else f"the {len(read):,} text files"
        st.caption(
            literal(f"Of {len(files):,} files, {last} {'is' if len(read) == 1 else 'are'} read: one table at a time.")
        )
    session_key, identity = f"{key}/kept", tuple(file.file_id for file in read)
    if st.session_state.get(session_key, (None, ""))[0] != identity:
        saved = uploads.save(store, [(file.name, file.getvalue()) for file in read], visitors.current().ids)
        st.session_state[session_key] = (identity, uploads.locate(store, saved, path))
    return str(st.session_state[session_key][1])


def title(dataset: Dataset) -> str:
    """Return the title of a dataset, with the name of the file where it was uploaded."""
    return f"{dataset.title}: {name}" if (name := _name(dataset)) else dataset.title


def described(experiment: Experiment) -> str:
    """Return what is read of uploaded documents, and who is attacked how often; empty for other data."""
    dataset = experiment.dataset
    if not isinstance(dataset, Documents) or not dataset.source:
        return ""
    try:
        return f"{summary(dataset, dataset.key)} {experiment.game.plan()}".strip()
    except TelltaleError:
        return ""


def name_owners(dataset: Dataset) -> bool:
    """Tell whether a dataset is uploaded documents that name their owners."""
    try:
        return dataset.names_owners()
    except TelltaleError:
        return False


def tell(dataset: Dataset, key: str, leave_out: Callable[[], None]) -> None:
    """Say how much is read of an upload, and offer to leave out near copies where there are some.

    Args:
        dataset: What was uploaded.
        key: Name of the offer in the session.
        leave_out: Leaves near copies out, once the offer is taken.

    Raises:
        TelltaleError: It cannot be read, which is shown, too.
    """
    try:
        text, copies = _overview(dataset, dataset.key)
    except TelltaleError as error:
        st.error(literal(curled(str(error))), icon=":material/edit:")
        raise
    st.caption(literal(f"{_name(dataset)}: {text}"))
    if copies:
        label = f"Leave {counted(copies, 'near copy', 'near copies')} out"
        st.button(label, key=key, icon=":material/filter_alt:", help=_LEFT_OUT, on_click=leave_out)


def summary(dataset: Dataset, key: str) -> str:
    """Return how many documents or pairs of how many are read, and how many owners or subcorpora they have.

    Args:
        dataset: Documents or translations that were uploaded.
        key: Key of the dataset, by which the answer is remembered.

    Raises:
        InvalidDocuments: They cannot be read.
    """
    return _overview(dataset, key)[0]


@remembered("Reading your documents")
def _overview(_dataset: Dataset, key: str) -> tuple[str, int]:
    """Return the summary, and how many near copies are read that could be left out."""
    if isinstance(_dataset, ParallelText):
        pairs, rows = _dataset.read()
        corpora = counted(len(pairs.corpora), "subcorpus", "subcorpora")
        return f"{len(pairs):,} of {counted(rows, 'row')} read as sentence pairs, {corpora}.", 0
    if isinstance(_dataset, Documents):
        text, copies = _dataset.overview()
        return curled(text), copies
    if isinstance(_dataset, OwnRequests):
        return curled(_dataset.summary()), 0
    raise TypeError(f"{_dataset.part_name()} cannot be uploaded.")


def fit(experiment: Experiment) -> Fit:
    """Return whether an experiment can run on what was uploaded, and the nearest settings with which it can."""
    return _fit(experiment, experiment.key) if is_checked(experiment.dataset) else Fit()


@remembered("Checking your documents")
def _fit(_experiment: Experiment, key: str) -> Fit:
    try:
        return fitting.fit(_experiment)
    except TelltaleError:
        return Fit()


def _name(dataset: Dataset) -> str:
    return Path(dataset.source).name if isinstance(dataset, _OWN) else ""
