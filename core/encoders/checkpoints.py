"""Checkpoints of a training, in tensors only, so that resuming unpickles nothing."""

from pathlib import Path
from typing import Any

from core.runtime.folders import write_whole, writing

_MOMENTS = {"exp_avg", "exp_avg_sq"}


def keep(path: Path, of: str, model: Any, optimiser: Any, losses: list[float]) -> None:
    """Write weights, AdamW's moments and the losses so far, under a hash of all that determines the training.

    Raises:
        StoreFull: No space is left.
        StoreReadOnly: The folder cannot be written.
    """
    import torch
    from safetensors.torch import save

    tensors = {"losses": torch.tensor(losses, dtype=torch.float64)}
    for number, parameter in enumerate(model.parameters()):
        tensors[f"{number}.weight"] = parameter.detach()
        tensors |= {
            f"{number}.{name}": optimiser.state[parameter][name] for name in _MOMENTS & {*optimiser.state[parameter]}
        }
    with writing(path.parent):
        write_whole(path, save({name: tensor.clone().contiguous() for name, tensor in tensors.items()}, {"of": of}))


def resume(path: Path, of: str, model: Any, optimiser: Any) -> list[float]:
    """Restore the checkpoint of a killed run of the same training; return the losses of the steps it had taken."""
    import torch
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as checkpoint:
            if (checkpoint.metadata() or {}).get("of") != of:
                return []
            tensors = {name: checkpoint.get_tensor(name) for name in checkpoint.keys()}  # noqa: SIM118
    except (FileNotFoundError, SafetensorError):
        return []
    losses: list[float] = tensors["losses"].tolist()
    for number, parameter in enumerate(model.parameters()):
        parameter.data.copy_(tensors[f"{number}.weight"])
        moments = {name: tensors[f"{number}.{name}"] for name in _MOMENTS if f"{number}.{name}" in tensors}
        if moments:
            optimiser.state[parameter] = {"step": torch.tensor(float(len(losses))), **moments}
    return losses
