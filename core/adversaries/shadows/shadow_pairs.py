"""The parameter of attacks that train pairs of shadow models: one with a target, one without it."""

from typing import Any

from core.spec import parameter


def shadow_pairs_parameter(default: int, *, least: int = 5, most: int = 2000, trained: str = "Shadow models") -> Any:
    """Declare how many pairs there are.

    Args:
        default: Pairs when none is given.
        least: Fewest that may be trained.
        most: Most that may be trained.
        trained: What is trained, at the beginning of the help.
    """
    text = f"{trained} with each target, and as many without it."
    return parameter(default, text, label="Shadow pairs (k)", unit="pairs", ge=least, le=most)
