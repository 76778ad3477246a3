"""The frame of every attack's page: form, run, answer, experiment, provenance and link."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from core import catalog
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games import Game
from core.jobs.needs import needs
from core.report import answer, private, verdict
from core.result import Result
from core.runtime.store import Store
from core.statistics.wording.naming import capitalised
from dashboard import navigation
from dashboard.kit import (
    address,
    evidence,
    folders,
    glossary,
    landing,
    links,
    panels,
    provenance,
    running,
    stored_results,
)
from dashboard.kit.browser import picture
from dashboard.kit.figures.wording import joined
from dashboard.kit.forms import form, needed, own_documents, settings_in_words
from dashboard.kit.inputs import linked_result
from dashboard.kit.words import literal

_STATES = {"queued": "waiting to be computed", "running": "being computed"}
"""What the answer says while a run waits or works."""
_COMMAND_LINE = (
    "The command line computed this from files of this machine that are not uploaded, so its settings are fixed here. "
    "Where such files can be uploaded, the same content has the same result."
)


def opened(
    attack: str, live_chart: running.LiveChart | None = None, absent: Callable[[Experiment], None] | None = None
) -> tuple[Result, Experiment]:
    """Draw the form of an attack, and return the result of its experiment; without a result, the page ends here.

    While a field is invalid, the page shows the previous experiment or, without a result of it, that which it opens on.
    Where a run has no result yet, that of the same experiment with another seed stays below it.

    Args:
        attack: Name of the attack.
        live_chart: Draws the points so far of a run.
        absent: Draws the sections that need no result, before the page ends.
    """
    if (fixed := _fixed(attack)) is not None:
        return fixed
    experiment = form.experiment_form(attack)
    if experiment is None:
        before = form.last_valid(attack)
        before = before if before is not None and stored_results.readable(before.key) is not None else None
        experiment = before or landing.experiment(attack)
        st.caption(f"Shown below is the experiment {'before this change' if before else 'that this page opens on'}.")
    result = run_or_result(experiment, live_chart)
    if result is None:
        if (meanwhile := _meanwhile(experiment)) is None:
            if absent is not None:
                absent(experiment)
            st.stop()
        return meanwhile
    heading(experiment, result)
    with st.container(horizontal=True, vertical_alignment="center", key="about"):
        about(result, experiment, f"Change them in the form: {form.WHERE}.")
        again(experiment)
    picture.tell(picture.of(result, experiment))
    return result, experiment


def _fixed(attack: str) -> tuple[Result, Experiment] | None:
    """Draw the result that the address names by its key, if only the command line can name the files that it read."""
    try:
        linked = linked_result.read(attack)
    except InvalidSpec as refusal:
        st.warning(literal(str(refusal)), icon=":material/info:")
        return None
    if linked is None:
        return None
    if not linked.is_fixed:
        linked_result.forget()
        address.show(links.written(linked.experiment, Store()))
        return None
    st.caption(_COMMAND_LINE)
    heading(linked.experiment, linked.result)
    with st.container(horizontal=True, vertical_alignment="center", key="about"):
        about(linked.result, linked.experiment, _COMMAND_LINE, where="a server with the same home folder and files")
        st.button(
            "To the attack’s own page", icon=":material/arrow_back:", type="tertiary", on_click=linked_result.forget
        )
    picture.tell(picture.of(linked.result, linked.experiment))
    return linked.result, linked.experiment


def _meanwhile(experiment: Experiment) -> tuple[Result, Experiment] | None:
    """Return the result of the same experiment with another seed while one with this seed is computed, and say so."""
    if running.found(experiment.key) is None:
        return None
    promised = (entry.experiment for entry in catalog.with_any_seed(experiment))
    for other in (experiment.replace(seed=max(experiment.seed - 1, 0)), *promised):
        if (result := stored_results.readable(other.key)) is not None:
            st.caption(f"Below, meanwhile, the result of the same experiment with seed {other.seed}:")
            _answer(other, result)
            picture.tell(picture.of(result, other))
            return result, other
    return None


def run_or_result(experiment: Experiment, live_chart: running.LiveChart | None = None) -> Result | None:
    """Return the stored result of an experiment; without one, show its run or the button that starts it."""
    result, damage = None, None
    try:
        result = stored_results.load(experiment.key)
    except TelltaleError as error:
        damage = error
    if result is None:
        heading(experiment)
        if damage is not None:
            panels.show_error(damage)
        st.caption(literal(settings_in_words.of(experiment)))
        running.panel(experiment, live_chart)
        if running.found(experiment.key) is None:
            _offer_others(experiment)
    return result


def _offer_others(experiment: Experiment) -> None:
    """Lead to results of the same attack that need no run, with the most similar settings first."""
    if not (entries := landing.nearest(experiment)):
        return
    st.caption("Computed already, with other settings:")
    for entry in entries:
        links.page_link(entry.experiment, entry.title, ":material/open_in_new:")


def heading(experiment: Experiment, result: Result | None = None) -> None:
    """Show the question of an experiment, the answer of its result, and its data, model, access and settings."""
    attack = experiment.attack
    st.set_page_config(page_title=navigation.tab_title(attack.title))
    with st.container(key="asked", gap="small"):
        st.title(attack.title, anchor=False)
        st.markdown(attack.question, help=glossary.explained(f"{attack.title} {attack.question}"))
        if caveat := experiment.game.caveat():
            st.warning(literal(caveat), icon=":material/warning:")
        if few := verdict.too_few(experiment.game):
            st.warning(literal(few), icon=":material/warning:")
        with st.container(key="answer", gap=None):
            _answer(experiment, result)
        if result is not None:
            _over_seeds(experiment, result)
        defenses = joined([literal(defense.named) for defense in experiment.defenses])
        facts = (
            literal(own_documents.title(experiment.dataset)),
            literal(experiment.model.title),
            f"queries return {literal(attack.returned())}",
            f"defense: {defenses}{', unknown to the adversary' if attack.unaware else ''}"
            if defenses
            else "no defense",
            f"seed {experiment.seed}",
        )
        st.caption(" · ".join(facts), help=glossary.explained(defenses))
        if read := own_documents.described(experiment):
            st.caption(literal(read))


def _answer(experiment: Experiment, result: Result | None) -> None:
    """State the attack's claim, and how often it is right."""
    attack = experiment.attack
    claim = f"{literal(attack.claimed)}: " if attack.claimed else ""
    if result is None:
        job = running.found(experiment.key)
        state = _STATES[job.state] if job is not None and job.active else "not computed yet"
        st.markdown(f"{claim}{state if claim else capitalised(state)} for these settings.")
    elif (read := answer.of(result)) is not None:
        right = read.right if claim else capitalised(read.right)
        sentence = f"{attack.claimed} {right}{read.gap}{read.detail}"
        terms = glossary.explained(sentence, answer.unvaried(read.estimate, result.experiment["game"]) or None)
        st.markdown(f"{claim}**{literal(right)}**{read.gap}{literal(read.detail)}", help=terms)
        for beside in verdict.beside(read, experiment.game, result):
            st.caption(literal(beside), help=glossary.explained(beside))


def _over_seeds(experiment: Experiment, result: Result) -> None:
    """Say how far the answer lies apart over promised results that differ in their seed, where there are some."""
    read = answer.of(result)
    if read is not None and (estimates := stored_results.over_seeds(experiment, read.name)):
        among = any(entry.experiment.seed == experiment.seed for entry in catalog.with_any_seed(experiment))
        apart = answer.over_seeds(read.name, estimates, among=among)
        st.caption(literal(apart), help=glossary.explained(apart))


def about(result: Result, experiment: Experiment, change: str = "", where: str = "") -> None:
    """Say where a result comes from, and offer its download and its link.

    Args:
        result: The result.
        experiment: Its experiment.
        change: How its settings are changed.
        where: Where the link opens it; by default anywhere. Elsewhere only, its download names no files.
    """
    key = experiment.key
    if Store().is_shipped(key):
        st.badge("Precomputed", icon=":material/inventory_2:", color="gray", help="Comes with Telltale.")
    else:
        st.badge("Computed here", icon=":material/memory:", color="gray", help="A run on this machine.")
    with st.popover("About this result", icon=":material/fingerprint:", type="tertiary"):
        threat = experiment.attack.assumed
        st.markdown(f"**Threat model**  \n{literal(threat)}", help=glossary.explained(threat))
        for credit in provenance.credits_of(experiment):
            st.markdown(credit)
        settings = settings_in_words.of(experiment)
        st.markdown(f"**Experiment**  \n{literal(settings)}", help=glossary.explained(settings))
        st.caption(change)
        st.markdown(provenance.said(result.provenance, key))
        links.comparison(key)
    st.download_button(
        "Result as JSON",
        lambda: as_json(result, experiment.game, private.public(experiment) if where else experiment.as_dict()),
        f"{experiment.attack.part_name()}-{key}.json",
        "application/json",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
    if not experiment.game.caveat():
        evidence.button([key], f"report-{experiment.attack.part_name()}-{key}")
    _share(where or "any machine where Telltale runs at this address")


@st.fragment
def _share(where: str) -> None:
    """Offer the link, read anew when opened: sections change the view without redrawing the page."""
    with st.popover("Share", icon=":material/link:", type="tertiary", key="share", on_change="rerun"):
        st.markdown(f"This link opens exactly this view, on {where}.")
        st.code(shown_address(), language=None, wrap_lines=True)


def again(experiment: Experiment) -> None:
    """Offer to run the same experiment with another seed, and the demo if data are missing."""
    other = running.with_a_new_seed(experiment)
    lacking = needs(other)
    first = f", after a download of {size}" if (size := needed.size(lacking)) else ""
    st.button(
        f"Run it live with seed {other.seed}{first}",
        icon=":material/replay:",
        type="tertiary",
        key="run.live",
        on_click=_live,
        args=(other,),
        disabled=bool(folders.refusal_to_write()),
    )
    needed.tell_duration(other)
    if lacking:
        needed.demo(experiment)
    attack = experiment.attack.part_name()
    if (entries := catalog.entries_of(attack)) and experiment == landing.experiment(attack):
        clearest = landing.clearest(entries)
        if clearest.experiment != experiment:
            links.page_link(clearest.experiment, f"Clearest leak: {clearest.title}", ":material/trophy:")


def _live(experiment: Experiment) -> None:
    form.fill(experiment)
    running.want(experiment)


def shown_address() -> str:
    """Return the address of the current view."""
    base = st.context.url or ""
    query = urlencode(st.query_params.to_dict())
    return f"{base}?{query}" if query else base


def as_json(result: Result, game: Game, experiment: dict[str, Any]) -> bytes:
    """Return a result as one JSON object, with the decisions behind each estimate and an experiment as it is told."""
    counted = game.counted(result.estimates, result.tables)
    content = {
        "experiment": experiment,  # the stored one may hold another path of the same documents
        "estimates": {name: estimate.plain() for name, estimate in counted.items()},
        "tables": {name: json.loads(frame.to_json(orient="records")) for name, frame in result.tables.items()},
        "provenance": result.provenance.model_dump(),
    }
    return json.dumps(content, indent=1).encode()
