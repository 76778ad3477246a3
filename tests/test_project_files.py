"""The files that other tools read say what the project says."""

import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from tests.errands import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_agrees_with_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    for reference in citation["references"]:
        assert {"type", "title", "authors"} <= reference.keys()
        assert reference["title"] in readme


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
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0


def test_the_changelog_begins_with_what_is_not_released() -> None:
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert headings[0] == "## [Unreleased]"
