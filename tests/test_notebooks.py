"""The examples in docs/notebooks.md run, and importing core stays cheap."""

import re
import subprocess
from typing import Any

import core
from core.commands.model_audit import audit
from core.experiment import Experiment, run
from tests.errands import ROOT, python

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "notebooks.md").read_text("utf-8"), re.DOTALL)


def test_the_examples_run_in_their_order() -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/notebooks.md", "exec"), names)
    assert names["stored"] is True
    assert names["declared"].keys() == names["result"].tables.keys()
    assert len(names["figures"]) == 2
    found = names["found"]
    assert found.verdict.conclusive and found.result.estimates["auc"].above_chance()
    assert found.experiment.attack.part_name() == "word_pair_audit"


def test_core_offers_what_runs_experiments() -> None:
    assert (core.Experiment, core.run, core.audit) == (Experiment, run, audit)


def test_importing_core_loads_nothing_heavy() -> None:
    code = "import core, sys; print(*sorted({'numpy', 'pandas', 'pydantic', 'core.experiment'} & set(sys.modules)))"
    finished = subprocess.run(python("-c", code), cwd=ROOT, capture_output=True, text=True, check=True)
    assert finished.stdout == "\n"
