"""Attacks on text models, the defenses against them, and the security games that score both.

A notebook needs two names: ``from core import Experiment, run``.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.experiment import Experiment, run

__all__ = ["Experiment", "run"]

# Threads of torch that wait for each other otherwise keep a core busy, which slows everyone down tenfold as soon as a
# second run, or a second person, needs that core. It is read when the first library with OpenMP is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def __getattr__(name: str) -> Any:
    """Load what runs experiments only when it is asked for: pages that show stored results do without."""
    if name in __all__:
        return getattr(import_module("core.experiment"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
