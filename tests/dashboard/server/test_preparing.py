"""The server is prepared without the libraries that train, and what it prepared is not searched for garbage."""

import gc
import os
import subprocess
import sys
from pathlib import Path

from core import catalog
from dashboard.server import preparing
from tests.dashboard.test_cold_imports import HEAVY
from tests.serving import ROOT

SCRIPT = f"""
import sys
from dashboard.server import preparing

preparing.prepare()
print(*(name for name in {HEAVY} if name in sys.modules))
"""


def test_nothing_heavy_is_imported(home: Path) -> None:
    environment = {**os.environ, "TELLTALE_HOME": str(home)}
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout.split() == []


def test_keys_are_derived_and_exempt_from_collections(home: Path) -> None:
    gc.unfreeze()
    try:
        preparing.prepare()
        assert gc.get_freeze_count() > 0
        assert all("key" in vars(entry) for entry in catalog.entries())
    finally:
        gc.unfreeze()
