"""Telltale installs as a package, and works away from the checkout."""

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import psutil
import pytest

from core import catalog
from core.registry import FOLDERS, names
from tests.errands import ROOT, await_health

SOURCES = ("core", "dashboard", "pyproject.toml", "requirements.txt", "README.md", "LICENSE")
COMES_ALONG = """
import json
from core import __main__, catalog
from core.encoders.folders import locate
from core.registry import FOLDERS, names
from core.runtime.store import Store

(demo,) = catalog.matching("demo")
absent = [line for line in catalog.check(Store(), demo.name) if line.startswith(demo.name)]
print(json.dumps([{kind: names(kind) for kind in FOLDERS}, absent, str(locate("small_bert"))]))
assert __main__.main(["run", "word_pairs", "--preset", "demo", "--json"]) == 0
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with Telltale in it; its dependencies are those of this one, so nothing is downloaded."""
    folder = tmp_path_factory.mktemp("installation")
    environment, source = folder / "environment", folder / "source"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    (packages / "shared.pth").write_text(sysconfig.get_path("purelib"))
    source.mkdir()
    for name in SOURCES:
        (source / name).symlink_to(ROOT / name)
    demo = catalog.matching("demo")[0].experiment.key  # one result of many, which take seconds to pack
    for part in (demo, f"drawings/{demo}"):
        shutil.copytree(ROOT / "precomputed" / part, source / "precomputed" / part)
    for path in (ROOT / "precomputed").iterdir():
        if path.is_file():
            shutil.copy(path, source / "precomputed")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--no-compile"]
    finished = subprocess.run(
        [environment / "bin" / "python", *install, source], cwd=folder, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    return environment


def variables(home: Path) -> dict[str, str]:
    """Environment variables without those that lead to the checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "TELLTALE_HOME": str(home)}


@pytest.fixture(scope="module")
def answers(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What comes along and what a command says, in an empty folder: a line and the rest."""
    folder = tmp_path_factory.mktemp("empty")
    finished = subprocess.run(
        [environment / "bin" / "python", "-c", COMES_ALONG],
        cwd=folder,
        env=variables(folder / "home"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.split("\n", 1)


@pytest.mark.slow
def test_the_command_answers_from_the_results_that_come_with_it(answers: list[str]) -> None:
    facts = json.loads(answers[1])
    assert facts["cached"] is True
    assert facts["key"] == catalog.matching("demo")[0].experiment.key


@pytest.mark.slow
def test_every_part_the_drawings_and_the_small_encoder_come_along(answers: list[str], environment: Path) -> None:
    parts, absent, encoder = json.loads(answers[0])
    assert {kind: tuple(part_names) for kind, part_names in parts.items()} == {kind: names(kind) for kind in FOLDERS}
    assert absent == [], "promised results and drawings that the package holds are intact"
    assert Path(encoder).is_relative_to(environment)
    assert (Path(encoder) / "model.safetensors").is_file()


@pytest.mark.slow
def test_the_dashboard_answers_on_this_machine_only(environment: Path, home: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [environment / "bin" / "telltale", "dashboard", "--"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with (tmp_path / "log.txt").open("wb") as log:
        server = psutil.Popen(
            [*program, *options], cwd=tmp_path, env=variables(home), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        await_health(f"http://127.0.0.1:{port}/_stcore/health", server, tmp_path / "log.txt")
        listening = {
            connection.laddr.ip for connection in server.net_connections() if connection.status == psutil.CONN_LISTEN
        }
        assert listening == {"127.0.0.1"}
    finally:
        server.terminate()
        server.wait()


def test_every_dependency_is_listed_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "dependencies" not in project
    assert project["dynamic"] == ["dependencies"]
