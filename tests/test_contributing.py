"""The example in CONTRIBUTING.md works: the attack is found, and passes the test that stands beside it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import core.attacks
from core import registry
from core.datasets.documents import Documents
from core.runtime.store import Store
from tests.errands import ROOT

ATTACK, TEST = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Put the example attack where its text says, into the folder of attacks, and return the names in its test."""
    (tmp_path / "close_neighbours.py").write_text(ATTACK, "utf-8")
    monkeypatch.setattr(core.attacks, "__path__", [*core.attacks.__path__, str(tmp_path)])
    registry.modules.cache_clear()
    names: dict[str, Any] = {}
    exec(compile(TEST, "CONTRIBUTING.md", "exec"), names)
    yield names
    registry.modules.cache_clear()


@pytest.mark.parametrize("name", re.findall(r"def (test_\w+)", TEST))
def test_the_example_attack_passes_its_test(
    name: str, written: dict[str, Any], planted: Documents, store: Store
) -> None:
    written[name](planted, store)
