"""What redrawing a page on a cached result costs, against handing over its finished figures; run with python -m."""

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest

from core.catalog import entries
from core.runtime.store import Store
from dashboard.kit import links, tabs
from tests.benchmarks import limits

ROUNDS = 9
LIMIT = 0.5
APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"


def finished_figures() -> None:
    """Draw figures that were made before."""
    import streamlit as st

    for number, figure in enumerate(st.session_state["figures"]):
        st.plotly_chart(figure, key=f"figure-{number}")


def main() -> None:
    """Time the whole page, the choice of a target and an empty page with the same figures, in turns."""
    entry = next(entry for entry in entries() if Store().is_shipped(entry.experiment.key))
    page = AppTest.from_file(str(APP), default_timeout=300).run().switch_page("views/word_pairs.py")
    for name, text in links.written(entry.experiment, Store()).items():
        page.query_params[name] = text
    page.query_params[tabs.KEY] = tabs.HOW  # where a target is chosen
    page.run()
    if page.exception:
        raise SystemExit(f"The page failed: {page.exception[0].value}")
    peer = AppTest.from_function(finished_figures, default_timeout=300)
    peer.session_state["figures"] = [go.Figure(json.loads(chart.proto.spec)) for chart in page.main.get("plotly_chart")]
    peer.run()
    whole, choice, finished = [], [], []
    for turn in range(ROUNDS):
        finished.append(_timed(peer.run))
        whole.append(_timed(page.run))
        targets = page.main.selectbox(key="view.target")
        choice.append(_timed(targets.select_index((turn + 1) % len(targets.options)).run))
    line = {
        "name": "redraw",
        "ratio": round(_median(choice) / _median(finished), 2),
        "compared": (
            f"processor seconds of choosing another target of {entry.name!r}, by which the whole page is drawn again, "
            f"over those of a page that does nothing but hand the same {len(peer.session_state['figures'])} figures, "
            f"made before, to Streamlit; lower is better, and the limit is {LIMIT} s of wall time on an idle machine"
        ),
        "figures": {
            "another_target": _figures(choice),
            "same_page_again": _figures(whole),
            "finished_figures": _figures(finished),
        },
    }
    wall = statistics.median(seconds for _, seconds in choice)
    limits.end(line, {"wall seconds of choosing another target, median": (wall, LIMIT)})


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    """Return the processor and the wall seconds of an act."""
    processor, wall = time.process_time(), time.perf_counter()
    act()
    return time.process_time() - processor, time.perf_counter() - wall


def _median(turns: list[tuple[float, float]]) -> float:
    return statistics.median(processor for processor, _ in turns)


def _figures(turns: list[tuple[float, float]]) -> dict[str, object]:
    return {
        "median_processor_seconds": round(_median(turns), 3),
        "processor_seconds": [round(processor, 3) for processor, _ in turns],
        "wall_seconds": [round(wall, 3) for _, wall in turns],
    }


if __name__ == "__main__":
    main()
