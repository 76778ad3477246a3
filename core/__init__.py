"""Attacks on text models, the defenses against them, and the security games that score both.

A notebook needs three names: ``from core import Experiment, run, audit``.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.commands.model_audit import audit
    from core.experiment import Experiment, run

__all__ = ["Experiment", "audit", "run"]

# Otherwise, waiting threads of torch keep a core busy, which slows everyone down tenfold as soon as a second run needs
# that core. The first library with OpenMP to be loaded reads this variable.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def __getattr__(name: str) -> Any:
    """Import experiments on first use only: pages that show stored results need none of their libraries."""
    if name in __all__:
        return getattr(import_module("core.commands.model_audit" if name == "audit" else "core.experiment"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
