"""The server shows stored results, and prepares to, without the libraries that compute them."""

import os
import subprocess
import sys
from pathlib import Path

from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.experiment import Experiment
from dashboard import navigation
from tests.patience import PATIENCE

HEAVY = ("torch", "gensim", "numba", "llvmlite", "transformers", "sklearn", "umap", "dask", "opacus")

SCRIPT = """
import gc
gc.disable()
import sys
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest, local_script_runner

local_script_runner.require_widgets_deltas = lambda runner, timeout: runner._script_thread.join(timeout)
ContextProxy.cookies = ContextProxy.headers = property(lambda _: {})
app = AppTest.from_file(sys.argv[1], default_timeout=float(sys.argv[5]))
for page in sys.argv[3].split(","):
    app.switch_page(f"views/{page}.py")
    app.query_params["seed"] = sys.argv[2]
    app.query_params["preset"] = "demo"
    app.run()
    assert not app.exception, app.exception
print(len(app.main.get("plotly_chart")))
print(*(name for name in sys.argv[4].split(",") if name in sys.modules))

from core import catalog
from dashboard.server import preparing

for entry in catalog.entries():
    vars(entry).pop("key", None)
assert not gc.get_freeze_count()
preparing.prepare()
assert gc.get_freeze_count(), "what is prepared is not searched for garbage"
assert all("key" in vars(entry) for entry in catalog.entries()), "all keys are derived"
print(*(name for name in sys.argv[4].split(",") if name in sys.modules))
"""


def test_neither_pages_nor_the_server_import_a_heavy_library(kept: Experiment, home: Path) -> None:
    """The excerpt lies parsed in the home of the process, which saves it the seconds that this takes."""
    WikipediaExcerpt().load()
    root = Path(__file__).resolve().parents[2]
    pages = sorted((page.name for page in navigation.declared()), key=lambda name: name == "word_pairs")
    finished = subprocess.run(
        [
            sys.executable,
            "-c",
            SCRIPT,
            str(root / "dashboard" / "app.py"),
            str(kept.seed),
            ",".join(pages),
            ",".join(HEAVY),
            str(PATIENCE),
        ],
        cwd=root,
        env={**os.environ, "TELLTALE_HOME": str(home), "STREAMLIT_RUNNER_POST_SCRIPT_GC": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    charts, by_pages, by_server = finished.stdout.split("\n")[-4:-1]
    assert int(charts) >= 3
    assert by_pages == "" and by_server == ""
