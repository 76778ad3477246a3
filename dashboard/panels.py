"""What the pages of attacks share: what was asked, figures and tables with their downloads, the link to this view."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from core.errors import TelltaleError
from core.experiment import Experiment
from core.registry import Part
from core.result import Estimate, Result
from core.runtime.store import Store
from core.spec import Spec
from dashboard import links, navigation, running, uploads
from dashboard.charts import foreign
from dashboard.charts.wording import decisions
from dashboard.declared import parameters
from dashboard.words import duration, literal, number, spoken

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    Table = pd.DataFrame | Callable[[], pd.DataFrame]

_QUOTED = 60
"""Characters of a text that are shown among the settings."""


def told(error: TelltaleError) -> None:
    """Show an error as a calm message."""
    st.warning(literal(str(error)), icon=":material/info:")


def run_or_result(experiment: Experiment, live_chart: running.LiveChart | None = None) -> Result | None:
    """Return the stored result of an experiment; where there is none, show how its run stands, or the way to start it.

    Args:
        experiment: What is asked.
        live_chart: Draws the points of the result so far, while it runs.
    """
    try:
        result = running.stored(experiment.key)
    except TelltaleError as error:
        told(error)
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


def estimates(result: Result, names: Iterable[str] | Mapping[str, str], *, width: int = 230) -> None:
    """Show figures side by side, each with its interval, chance level and counts.

    Args:
        result: Holds the figures.
        names: Which of them; a mapping gives labels too. Those the result lacks are left out.
        width: Of each, in pixels.
    """
    labels = names if isinstance(names, Mapping) else {name: spoken(name) for name in names}
    shown = {name: label for name, label in labels.items() if name in result.estimates}
    with st.container(horizontal=True, key="-".join(["estimates", *list(shown)[:1]]), gap="medium"):
        for name, label in shown.items():
            estimate = result.estimates[name]
            with st.container(width=width, gap=None):
                st.metric(label, number(estimate.value), help=literal(estimate.help) or None)
                st.caption(literal(interval(estimate)))


def interval(estimate: Estimate) -> str:
    """Return interval, chance level and counts of a figure as one line.

    >>> interval(Estimate(value=0.93, low=0.9, high=0.96, chance=0.5, unit="share", members=250, nonmembers=250))
    '95 % interval 0.90–0.96, chance 0.50, 500 decisions'
    """
    said = []
    if estimate.low < estimate.high:
        low, high = _two(estimate.low), _two(estimate.high)
        if low == high:
            low, high = f"{estimate.low:.3f}", f"{estimate.high:.3f}"
        said.append(f"95 % interval {low}–{high}")
    if estimate.chance is not None:
        said.append(f"chance {_two(estimate.chance)}")
    if behind := decisions(estimate):
        said.append(f"{behind:,} decisions")
    return ", ".join(said) or estimate.unit


def figure(fig: "go.Figure", table: "Table", name: str, sentence: str, *, title: str = "", **options: Any) -> Any:
    """Draw a figure with its title, one sentence that reads it, and its downloads.

    Args:
        fig: What to draw.
        table: The numbers behind it, or a function that makes them when they are wanted.
        name: Name of the downloaded files, and of the widgets; unique on its page.
        sentence: What the figure says.
        title: Heading above it; none when empty.
        options: Passed on to `st.plotly_chart`, for example ``on_select="rerun"``.

    Returns:
        What `st.plotly_chart` returns: what is selected.
    """
    with st.container(key=f"figure-{name}", gap="small"):
        _heading(title, sentence)
        chosen = st.session_state.get(f"{name}.image", "SVG")
        config = {
            "displaylogo": False,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
            "toImageButtonOptions": {"format": chosen.lower(), "filename": name, "scale": 2},
        }
        options = {"key": f"{name}.figure", "alt": sentence or title or name, "config": config, **options}
        selected = st.plotly_chart(fig, **options)
        with st.popover("Download", icon=":material/download:", type="tertiary", key=f"{name}.download"):
            _tables(table, name)
            st.segmented_control(
                "Picture",
                ["SVG", "PNG"],
                key=f"{name}.image",
                default="SVG",
                required=True,
                help="The camera at the upper right of the figure saves it in this format.",
            )
    return selected


def table(frame: "pd.DataFrame", name: str, sentence: str = "", *, title: str = "", **options: Any) -> Any:
    """Show a table with its downloads; options go to `st.dataframe`, whose selection is returned."""
    with st.container(key=f"table-{name}", gap="small"):
        _heading(title, sentence)
        selected = st.dataframe(frame, **{"hide_index": True, "key": f"{name}.table", **options})
        with st.container(horizontal=True):
            _tables(frame, name)
    return selected


def _heading(title: str, sentence: str) -> None:
    if title:
        st.subheader(title, anchor=False)
    if sentence:
        st.markdown(literal(sentence))


def _tables(table: "Table", name: str) -> None:
    def frame() -> "pd.DataFrame":
        return table() if callable(table) else table

    kinds: dict[str, tuple[str, Callable[[], bytes]]] = {
        "CSV": ("text/csv", lambda: frame().to_csv(index=False).encode()),
        "JSON": ("application/json", lambda: frame().to_json(orient="records", indent=1).encode()),
    }
    for kind, (mime, content) in kinds.items():
        st.download_button(
            f"Table as {kind}",
            content,
            f"{name}.{kind.lower()}",
            mime,
            key=f"{name}.{kind}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )


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


def _two(value: float) -> str:
    if abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.095 or value == 0 else f"{value:.2g}"


def _json(result: Result) -> bytes:
    content = {
        "experiment": result.experiment,
        "estimates": {name: estimate.model_dump() for name, estimate in result.estimates.items()},
        "tables": {name: json.loads(frame.to_json(orient="records")) for name, frame in result.tables.items()},
        "provenance": result.provenance.model_dump(),
    }
    return json.dumps(content, indent=1).encode()
