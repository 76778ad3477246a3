"""How long the first precomputed chart takes from nothing, against an empty page with one chart; run with python -m."""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks import limits

ROUNDS = 5
LIMIT = 1.5
ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
EMPTY_PAGE = """
import plotly.graph_objects as go
import streamlit as st

st.plotly_chart(go.Figure(go.Scatter(x=[1, 2, 3], y=[1, 3, 2])))
"""


def seconds_to_chart(app: Path, browser: Browser, home: Path) -> float:
    """Start a server of its own, open it in a fresh browser context, and wait for a drawn chart."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
    command += ["--server.headless", "true"]
    start = time.perf_counter()
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TELLTALE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_healthy(port)
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}")
        page.wait_for_selector(".js-plotly-plot .plot-container svg.main-svg", timeout=60_000)
        taken = time.perf_counter() - start
        context.close()
    finally:
        server.kill()
        server.wait()
    return taken


def _wait_until_healthy(port: int) -> None:
    for _ in range(2400):
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.025)
    raise TimeoutError("the server did not start within a minute")


def main() -> None:
    """Time both in turns and print one line of JSON."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY_PAGE)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        seconds_to_chart(empty, browser, Path(folder))
        ours, bare = [], []
        for _ in range(ROUNDS):
            bare.append(seconds_to_chart(empty, browser, Path(folder) / "home"))
            ours.append(seconds_to_chart(ROOT / "dashboard" / "app.py", browser, Path(folder) / "home"))
        browser.close()
    line = {
        "name": "cold_start",
        "ratio": round(statistics.median(ours) / statistics.median(bare), 2),
        "compared": (
            "seconds from starting the server to the first drawn chart in Chromium: the overview with its precomputed "
            f"results over an empty Streamlit page with one plotly chart; lower is better, {LIMIT} is the limit"
        ),
        "figures": {
            "overview_seconds": [round(seconds, 2) for seconds in ours],
            "empty_page_seconds": [round(seconds, 2) for seconds in bare],
        },
    }
    limits.end(line, {"seconds over those of an empty page": (line["ratio"], LIMIT)})


if __name__ == "__main__":
    main()
