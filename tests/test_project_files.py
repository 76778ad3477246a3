"""The files that other tools read say what the project says."""

import json
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.errands import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_agrees_with_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    sources = " ".join((ROOT / "docs" / "sources.md").read_text("utf-8").split())
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= reference.keys()
        assert reference["title"] in sources


def test_the_hooks_are_tools_of_the_repository() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        program = Path(hook["entry"].split()[0])
        assert program.parent == Path(".venv/bin")
        assert (Path(sys.executable).parent / program.name).exists()


def test_the_workflow_runs_what_everyone_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    always, weekly = (
        [step["run"] for step in steps if "run" in step and ("if" in step) == conditional]
        for conditional in (False, True)
    )
    assert (always, weekly) == ([".ci/run"], ["make exhaustive"])
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0


def test_the_changelog_begins_with_what_is_not_released() -> None:
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert headings[0] == "## [Unreleased]"


APART = re.compile(r"(torch|triton|nvidia-.*|cuda-.*)==")


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_holds_every_package_with_its_digests(name: str) -> None:
    lock = (ROOT / f"{name}.lock").read_text("utf-8")
    assert "://" not in lock, "which registry holds the packages is for the machine to say"
    entries = [entry for entry in re.split(r"\n(?=[a-z])", lock) if entry]
    locked = {entry.split()[0] for entry in entries}
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
        assert not APART.match(entry), "each platform has builds of its own"
    listed = "\n".join((ROOT / file).read_text("utf-8") for file in {"requirements.txt", f"{name}.txt"})
    for line in listed.splitlines():
        if "==" in line and not APART.match(line):
            assert re.sub(r"\[.*\]|_", lambda match: "-" if match[0] == "_" else "", line) in locked


def test_what_is_installed_and_its_licences_are_listed_by_command(tmp_path: Path) -> None:
    copied = ("Makefile", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "requirements-dev.lock")
    for name in copied:
        (tmp_path / name).symlink_to(ROOT / name)
    environment, names = tmp_path / ".venv", {"streamlit", "torch", "pydantic"}
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    for name in names:
        (installed,) = Path(sysconfig.get_path("purelib")).glob(f"{name}-[0-9]*.dist-info")
        (packages / installed.name).symlink_to(installed)
    programs = Path(sys.executable).parent
    (environment / "bin" / "pip-licenses").symlink_to(programs / "pip-licenses")
    listing = environment / "bin" / "cyclonedx-py"  # which checks what it has written against a scheme, for seconds
    listing.write_text(f'#!/bin/sh\nexec "{programs / listing.name}" "$@" --no-validate\n')
    listing.chmod(0o755)
    (environment / "dev.stamp").touch()
    subprocess.run(["make", "--old-file", ".venv/dev.stamp", "sbom"], cwd=tmp_path, check=True, capture_output=True)
    parts = json.loads((tmp_path / "build" / "sbom.json").read_text())["components"]
    licences = (tmp_path / "build" / "licences.md").read_text()
    assert {part["name"] for part in parts} == names
    assert "streamlit" in licences and "Apache" in licences
