"""Where networks run: on the processor, or on a GPU where there is one."""

from functools import cache
from importlib.metadata import version
from typing import Literal

from core.errors import InvalidSpec

Device = Literal["cpu", "cuda"]


def device_of(wish: Literal["auto", "cpu", "cuda"]) -> Device:
    """Return where networks run.

    Raises:
        InvalidSpec: A GPU was asked for and there is none.
    """
    there = wish != "cpu" and _has_gpu()
    if wish == "cuda" and not there:
        raise InvalidSpec(
            "The 'device' parameter of encoder must be 'auto' or 'cpu': no GPU is here. Got 'cuda'.", "device"
        )
    return "cuda" if there else "cpu"


@cache
def _has_gpu() -> bool:
    if version("torch").endswith("+cpu"):
        return False  # built without one, and quicker to ask than to load
    import torch

    return torch.cuda.is_available()
