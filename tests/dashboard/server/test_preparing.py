"""What the server prepared at its start is not searched for garbage."""

import gc
from pathlib import Path

from core import catalog
from dashboard.server import preparing


def test_keys_are_derived_and_exempt_from_collections(home: Path) -> None:
    gc.unfreeze()
    try:
        preparing.prepare()
        assert gc.get_freeze_count() > 0
        assert all("key" in vars(entry) for entry in catalog.entries())
    finally:
        gc.unfreeze()
