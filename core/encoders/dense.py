"""A dense layer behind the pooling of a sentence-transformers folder, read as data."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.encoders.folders import CONFIG, content_of, largest
from core.encoders.loading import refusing
from core.encoders.safety import json_object, weights
from core.errors import ModelRefused

if TYPE_CHECKING:
    import torch

_ACTIVATIONS = {
    f"torch.nn.modules.{module}.{name}": name
    for module, name in (("linear", "Identity"), ("activation", "Tanh"), ("activation", "ReLU"), ("activation", "GELU"))
}
_WIDEST = 100_000
_DEFAULT = "torch.nn.modules.activation.Tanh"


def check_dense(folder: Path) -> tuple[int, int, str]:
    """Return the numbers that a layer reads and writes, and what it applies to them, as `torch.nn` calls it.

    Raises:
        ModelRefused: Its files cannot be read safely, or say something that is not understood.
    """
    weights(folder)
    path = folder / CONFIG
    config = json_object(path)
    inputs, outputs = (_size(path, config, name) for name in ("in_features", "out_features"))
    activation = config.get("activation_function", _DEFAULT)
    if activation not in _ACTIVATIONS:
        raise ModelRefused(
            f"{path} names the activation function {str(activation)[:100]!r}. Those that are read are "
            f"{', '.join(_ACTIVATIONS)}."
        )
    of_vectors(path, {name: value for name, value in config.items() if name not in ("bias", "activation_function")})
    return inputs, outputs, _ACTIVATIONS[activation]


def _size(path: Path, config: Mapping[str, Any], name: str) -> int:
    size = config.get(name)
    if not isinstance(size, int) or not 0 < size <= _WIDEST:
        raise ModelRefused(f"{path} must name {name}, from 1 to {_WIDEST:,}. It names {str(size)[:60]}.")
    return size


def of_vectors(path: Path, config: Mapping[str, Any]) -> None:
    """Check that a module reads and writes the one vector of a text, and says nothing else but numbers of features.

    Raises:
        ModelRefused: It says something that is not understood.
    """
    for name, value in config.items():
        known = name in ("in_features", "out_features") or (
            name in ("module_input_name", "module_output_name") and value in ("sentence_embedding", None)
        )
        if not known and value:
            raise ModelRefused(f"{path} says {name}: {str(value)[:60]}, which is not understood.")


@lru_cache(maxsize=4)
def dense(folder: Path, digest: str) -> "torch.nn.Module":
    """Return a layer, kept in memory for the next text until the digest of its files changes.

    Raises:
        ModelRefused: They cannot be read safely, or do not fit each other.
    """
    import torch
    from safetensors.torch import load

    inputs, outputs, activation = check_dense(folder)
    with refusing(f"The dense layer in {folder} cannot be loaded"):
        state = {
            name.removeprefix("linear."): values.float()
            for path in weights(folder)
            for name, values in load(content_of(path, largest(path))).items()
        }
        linear = torch.nn.Linear(inputs, outputs, bias="bias" in state)
        linear.load_state_dict(state)
        return torch.nn.Sequential(linear, getattr(torch.nn, activation)()).eval().requires_grad_(False)
