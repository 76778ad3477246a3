"""The frame of every attack's page: its form, its run, what was asked, and the link to this view."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from core.errors import TelltaleError
from core.experiment import Experiment
from core.registry import Part
from core.result import Result
from core.runtime.store import Store
from core.spec import Spec
from dashboard import navigation
from dashboard.kit import links, panels, running
from dashboard.kit.figures import foreign
from dashboard.kit.forms import form, uploads
from dashboard.kit.forms.declared import parameters
from dashboard.kit.words import duration, literal

_QUOTED = 60
"""Characters of a text that are shown among the settings."""


def opened(
    attack: str, live_chart: running.LiveChart | None = None, absent: Callable[[], None] | None = None
) -> tuple[Result, Experiment]:
    """Ask for an experiment, and return its result under its header; without one, the page ends here.

    Args:
        attack: Name of the attack.
        live_chart: Draws the points of the result so far, while it runs.
        absent: Draws what a page shows without a result, too.
    """
    experiment = form.experiment_form(attack)
    if experiment is None:
        st.stop()
    result = run_or_result(experiment, live_chart)
    if result is None:
        if absent is not None:
            absent()
        st.stop()
    result_header(result, experiment)
    again(experiment)
    return result, experiment


def run_or_result(experiment: Experiment, live_chart: running.LiveChart | None = None) -> Result | None:
    """Return the stored result of an experiment; where there is none, show how its run stands, or the way to start it.

    Args:
        experiment: What is asked.
        live_chart: Draws the points of the result so far, while it runs.
    """
    try:
        result = running.stored(experiment.key)
    except TelltaleError as error:
        panels.told(error)
        result = None
    if result is None:
        asked(experiment)
        running.panel(experiment, live_chart)
    return result


def asked(experiment: Experiment) -> None:
    """Say what is asked, of which model, with which access."""
    attack = experiment.attack
    with st.container(key="asked", gap="small"):
        st.title(attack.title, anchor=False)
        st.markdown(attack.question)
        facts = {
            "Data": experiment.dataset.title,
            "Model": experiment.model.title,
            "Access": attack.access().title,
            "Defense": ", ".join(defense.title for defense in experiment.defenses) or "none",
            "Seed": str(experiment.seed),
        }
        with st.container(horizontal=True, gap="medium", key="facts"):
            for label, value in facts.items():
                st.markdown(f":gray[{label}]  \n{literal(value)}", width="content")
        st.caption(literal(settings(experiment)))


def settings(experiment: Experiment) -> str:
    """Return every setting that differs from its declared default, in words."""
    parts = (experiment.dataset, experiment.model, *experiment.defenses, experiment.game, experiment.attack)
    said = [text for part in parts for text in _changed(part)]
    return f"Settings: {', '.join(said)}." if said else "Settings: the declared defaults."


def result_header(result: Result, experiment: Experiment) -> None:
    """Say what was asked and where the answer comes from, with the link to it and the whole of it to download."""
    asked(experiment)
    shipped = Store().is_shipped(experiment.key)
    with st.container(horizontal=True, vertical_alignment="center", key="about"):
        if shipped:
            st.badge("Precomputed", icon=":material/inventory_2:", color="gray", help="Comes with Telltale.")
        else:
            st.badge("Computed here", icon=":material/memory:", color="gray", help="A run on this machine.")
        with st.popover("Threat model", icon=":material/visibility:", type="tertiary"):
            st.markdown(literal(experiment.attack.threat))
        with st.popover("Provenance", icon=":material/fingerprint:", type="tertiary"):
            _provenance(result, experiment)
        st.download_button(
            "Result as JSON",
            lambda: _json(result),
            f"{experiment.attack.part_name()}-{experiment.key}.json",
            "application/json",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        _share()


@st.fragment
def _share() -> None:
    """Offer the link, read anew when it is opened: sections change the view without drawing the whole page again."""
    with st.popover("Share", icon=":material/link:", type="tertiary", key="share", on_change="rerun"):
        st.markdown("This link opens exactly this view, on any machine where Telltale runs at this address.")
        st.code(here(), language=None, wrap_lines=True)


def again(experiment: Experiment) -> None:
    """Offer the same experiment with another seed, whose models are then trained live."""
    page = navigation.file_of(experiment.attack.part_name())
    if page is not None:
        other = experiment.replace(seed=(experiment.seed + 1) % 2**31)
        link = links.written(other, Store())
        st.page_link(page, label=f"Run it live with seed {other.seed}", icon=":material/replay:", query_params=link)


def here() -> str:
    """Return the address of what is seen now."""
    base = st.context.url or ""
    query = urlencode(st.query_params.to_dict())
    return f"{base}?{query}" if query else base


def _provenance(result: Result, experiment: Experiment) -> None:
    origin = result.provenance
    packages = ", ".join(f"{name} {version}" for name, version in sorted(origin.packages.items()))
    lines = {
        "Computed": origin.started.replace("T", " ").removesuffix("+00:00") + " UTC",
        "Wall time": duration(origin.wall_seconds),
        "Models trained": f"{origin.trainings:,}, in {duration(origin.training_seconds)} of training",
        "Cores": str(origin.cores),
        "Peak memory": f"{origin.peak_memory_mb:,.0f} MB",
        "Machine": f"{origin.machine}, Python {origin.python}",
        "Packages": packages,
        "Key": experiment.key,
    }
    st.markdown("  \n".join(f":gray[{label}] {literal(value)}" for label, value in lines.items()))


def _changed(part: Spec) -> list[str]:
    said = []
    for name, parameter in parameters(type(part)).items():
        value = getattr(part, name)
        if value != parameter.default and not uploads.is_place(part, name):
            unit = f" {parameter.unit}" if parameter.unit and parameter.unit not in parameter.label.lower() else ""
            said.append(f"{parameter.label[:1].lower()}{parameter.label[1:]} {_said(value)}{unit}")
    return said


def _said(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_said, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str) and (" " in value or not value):
        return f"“{foreign.cut(value, _QUOTED)}”"
    return (value.title if isinstance(value, Part) else str(value)).replace("_", " ")


def _json(result: Result) -> bytes:
    content = {
        "experiment": result.experiment,
        "estimates": {name: estimate.model_dump() for name, estimate in result.estimates.items()},
        "tables": {name: json.loads(frame.to_json(orient="records")) for name, frame in result.tables.items()},
        "provenance": result.provenance.model_dump(),
    }
    return json.dumps(content, indent=1).encode()
