"""A visitor's own files in the form of an attack: where it asks for them, and which columns it reads."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.corpora import columns
from core.datasets.documents import Documents
from core.datasets.requests.own_requests import OwnRequests
from core.datasets.translations.parallel_text import ParallelText
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.runtime.store import Store
from core.spec import Spec
from dashboard.kit.forms import fields, own_documents, table_columns, widgets
from dashboard.kit.inputs.declared import Parameter


@dataclass
class OwnFiles:
    """The uploads of one form.

    Attributes:
        store: Keeps what is uploaded.
        attack: Name of the attack, which begins the names of the form's fields in the session.
        page: Where the page asks for files.
    """

    store: Store
    attack: str
    page: DeltaGenerator | None = None
    _below: dict[str, DeltaGenerator] = field(default_factory=dict)
    _columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _beside: DeltaGenerator | None = None
    _told: TelltaleError | None = None

    def ask_for(self, experiment: Experiment) -> None:
        """Ask for files on the page if a link has just opened the form without files, else in the form."""
        dataset = experiment.dataset
        st.session_state[self._session_key] = (
            isinstance(dataset, Documents | ParallelText | OwnRequests) and not dataset.source
        )

    def asks(self, path: str) -> bool:
        """Tell whether the field of a dotted path is on the page; an empty path stands for a file."""
        return self._is_on_page and path.partition(".")[0] in ("", "dataset")

    def upload(self, dataset: Spec, value: str, path: str) -> str:
        """Draw the field of an upload, and return the path of the last upload.

        The columns of a new table that probably hold texts and owners are chosen at once.

        Args:
            dataset: What reads it.
            value: The path so far.
            path: Dotted path of the field.

        Raises:
            TelltaleError: Nothing was uploaded yet, or the files cannot be read or stored.
        """
        dataset_path = path.rpartition(".")[0]
        proposed = f"{self.attack}/{dataset_path}/proposed"
        with self.page if self.page is not None and self._is_on_page else nullcontext():
            source = own_documents.upload(self.store, dataset, value, path, f"{self.attack}/{path}")
            if source:
                self._below[dataset_path] = st.container()
                self._beside = st.container(horizontal=True) if self._is_on_page else None
        if not source:
            raise InvalidSpec("Upload your documents to continue.", path)
        names = self._columns[f"{dataset_path}."] = columns.of(Path(source))
        if source != value and st.session_state.get(proposed) != source:
            st.session_state[proposed] = source
            for name in columns.FIELDS:
                st.session_state.pop(f"{self.attack}/{dataset_path}.{name}", None)
            for name, column in columns.proposed(names).items():
                st.session_state[f"{self.attack}/{dataset_path}.{name}"] = column
        return source

    def tell(self, experiment: Experiment) -> None:
        """Say below each upload what is read from it.

        Raises:
            TelltaleError: It cannot be read.
        """
        for path, below in self._below.items():
            near_copies = f"{path}.near_copies"
            leave_out = partial(fields.fill, self.attack, {near_copies: "left out"})
            with below:
                try:
                    own_documents.tell(attrgetter(path)(experiment), f"{self.attack}/{near_copies}/offer", leave_out)
                except TelltaleError as error:
                    self._told = error
                    raise

    def shows(self, error: TelltaleError) -> bool:
        """Tell whether an error stands at an upload on the page."""
        return self._is_on_page and error is self._told

    def has_columns(self, parameter: Parameter, prefix: str) -> bool:
        """Tell whether a parameter names a column of an uploaded table."""
        return parameter.name in columns.FIELDS and bool(self._columns.get(prefix))

    def column(self, parameter: Parameter, value: str, prefix: str) -> str:
        """Draw the choice of a column, and return its name; empty for none."""
        columns, key = self._columns[prefix], f"{self.attack}/{prefix}{parameter.name}"
        known = table_columns.options(columns, needed=parameter.name == "text_column")
        unknown = [value] if st.session_state.get(key, value) not in known else []
        options = [*known, *unknown]
        with self._beside or nullcontext():
            chosen: str = st.selectbox(
                widgets.label(parameter),
                options,
                format_func=table_columns.called,
                **widgets.chosen(key, value if value in options else options[0], options),
                help=widgets.help_of(parameter),
                width=240 if self._beside else "stretch",
            )
        return chosen

    @property
    def _is_on_page(self) -> bool:
        return bool(st.session_state.get(self._session_key))

    @property
    def _session_key(self) -> str:
        return f"form/{self.attack}/asks"
