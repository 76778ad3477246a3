"""The stored result that a link names by its key, as the command line prints it."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.errors import InvalidSpec, StoreError, TelltaleError
from core.experiment import Experiment
from core.jobs import COMMAND_LINE, Jobs
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import address, stored_results, visitors
from dashboard.kit.figures import foreign
from dashboard.kit.inputs import allowed, typed
from dashboard.kit.words import literal

RESULT = f"{address.VIEW}result"
"""Parameter of the address that holds the key of a stored result."""
LONGEST = 40
"""Most characters of a key that is not found which a page repeats."""


@dataclass(frozen=True)
class LinkedResult:
    """A stored result, and its experiment.

    Attributes:
        experiment: The experiment.
        result: Its result.
        is_fixed: Whether it read files of this machine that were not uploaded, so that no form can name them.
    """

    experiment: Experiment
    result: Result
    is_fixed: bool


def read(attack: str) -> LinkedResult | None:
    """Return the result of an attack that the address names by its key; None where it names none.

    What somebody typed or brought opens for who asked for it. Runs of the command line are those of the server's
    owners, and everybody's where it names none. What a form can name opens as from any other link.

    Raises:
        InvalidSpec: No result of the attack has the key, the visitor may not see it, or its files changed.
    """
    if not (key := st.query_params.get(RESULT, "")):
        return None
    linked = stored(key)
    if linked is None or linked[0].attack.part_name() != attack:
        raise InvalidSpec(f"No stored result of this attack has the key {foreign.cut(key, LONGEST)}.", RESULT)
    check_own(linked[0], key)
    if is_fixed := reads_elsewhere(linked[0]):
        _check_same(linked[0], key)
    return LinkedResult(*linked, is_fixed)


def reads_elsewhere(experiment: Experiment) -> bool:
    """Tell whether an experiment reads files of this machine that no form can name, because they are not uploaded."""
    try:
        allowed.check(experiment, Store())
    except InvalidSpec:
        return True
    return False


def stored(key: str) -> tuple[Experiment, Result] | None:
    """Return the experiment and the result that are stored under a key from a link, or None."""
    result = stored_results.readable(key) if key.isalnum() else None
    try:
        return None if result is None else (Experiment.parse(result.experiment), result)
    except TelltaleError:
        return None


def attack() -> str:
    """Return the name of the attack whose result the address names by its key; empty where it names none."""
    key = st.query_params.get(RESULT, "")
    linked = stored(key) if key else None
    return "" if linked is None else linked[0].attack.part_name()


def tell_absent(key: str) -> None:
    """Say that no stored audit has a key, which is cut where it is long."""
    st.warning(literal(f"No stored audit has the key {foreign.cut(key, LONGEST)}."), icon=":material/info:")


def leave_button() -> None:
    """Offer the audits that come with Telltale in place of the result that the address names."""
    st.button("To the audits that come with Telltale", on_click=forget, key="audit.shipped")


def forget() -> None:
    """Drop the result from the address."""
    st.query_params.pop(RESULT, None)


def check_own(experiment: Experiment, key: str) -> None:
    """Refuse what somebody else typed or brought: a key is no secret, for who guesses the text can derive it.

    Raises:
        InvalidSpec: The visitor did not ask for it.
    """
    visitor = visitors.current()
    if not typed.is_typed(experiment, visitor.ids):
        return
    with suppress(StoreError):
        job = Jobs(Store()).find(key)
        if job is not None and (visitor.owns(job) or (visitor.is_owner and job.asker == COMMAND_LINE)):
            return
    raise InvalidSpec(
        "This link names a result of what somebody else typed or brought, or one whose run is no longer listed: only "
        "who asked for it can open it.",
        RESULT,
    )


def _check_same(experiment: Experiment, key: str) -> None:
    """Refuse a result whose files have changed since."""
    if not experiment.has_key(key):
        name = Path(str(getattr(experiment.dataset, "source", ""))).name
        raise InvalidSpec(
            f"What this result was computed from{f' ({name})' if name else ''} has changed since, or lies elsewhere "
            "now. Upload the same file: the same content has the same result.",
            RESULT,
        )
