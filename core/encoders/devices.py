"""Where networks run: on the processor, or on a GPU where there is one."""

import platform
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


def machine() -> str:
    """Return system and architecture of this machine, and the GPU that networks run on, where there is one."""
    here = f"{platform.system()} {platform.machine()}"
    if not _has_gpu():
        return here
    import torch

    return f"{here}, {torch.cuda.get_device_name()}"


@cache
def _has_gpu() -> bool:
    if version("torch").endswith("+cpu"):
        return False  # built without one, and quicker to ask than to load
    import torch

    return torch.cuda.is_available()
