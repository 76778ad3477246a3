"""The examples in docs/notebooks.md run, and importing core stays cheap."""

import re
import subprocess
from collections.abc import Iterable
from typing import Any

import pytest

import core
from core.commands.model_audit import audit
from core.experiment import Experiment, run
from tests.errands import ROOT, python

TEXT = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
BLOCKS, OUTPUTS = (re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL) for kind in ("python", "text"))


FEWER = {"sample(600,": "sample(200,", "epochs=25": "epochs=2", '"epochs": 25': '"epochs": 2'}
"""What makes the example of an audit ten times as fast, and its finding no longer certain."""


def ran(texts: Iterable[str]) -> dict[str, Any]:
    """Run the examples in their order, and return their names."""
    names: dict[str, Any] = {}
    for text in texts:
        exec(compile(text, "docs/notebooks.md", "exec"), names)
    assert names["stored"] is True
    assert names["declared"].keys() == names["result"].tables.keys()
    assert len(names["figures"]) == 2
    assert names["found"].experiment.attack.part_name() == "word_pair_audit"
    assert names["found"].verdict.lines
    return names


def test_the_examples_run_in_their_order_on_fewer_passages(capsys: pytest.CaptureFixture[str]) -> None:
    """That an audit finds a leak, tests/games/audit/test_game.py shows."""
    examples = "\0".join(BLOCKS)
    for text, smaller in FEWER.items():
        assert examples.count(text) == 1
        examples = examples.replace(text, smaller)
    ran(examples.split("\0"))
    assert OUTPUTS and capsys.readouterr().out.startswith(OUTPUTS[0])


@pytest.mark.exhaustive  # the test before this one runs the same examples on fewer passages
def test_the_examples_run_as_they_stand_and_find_the_leak() -> None:
    audited = ran(BLOCKS)["found"]
    assert audited.verdict.conclusive and audited.result.estimates["auc"].above_chance()


def test_core_offers_what_runs_experiments() -> None:
    assert (core.Experiment, core.run, core.audit) == (Experiment, run, audit)


def test_importing_core_loads_nothing_heavy() -> None:
    code = "import core, sys; print(*sorted({'numpy', 'pandas', 'pydantic', 'core.experiment'} & set(sys.modules)))"
    finished = subprocess.run(python("-c", code), cwd=ROOT, capture_output=True, text=True, check=True)
    assert finished.stdout == "\n"
