"""Classifiers as ONNX graphs that take texts, run by onnxruntime."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelRefused

_LARGEST = 2_000_000_000
"""Bytes of a file; larger graphs keep their weights in others."""
_AT_ONCE = 256


def answers(path: Path, texts: Sequence[str], classes: Sequence[str]) -> list[str] | list[dict[str, float]]:
    """Return what the graph says of texts.

    The graph is given to the library as bytes, so that it finds no other file, and without operators of its own.

    Args:
        path: The file.
        texts: What it is asked about.
        classes: Names of the classes in the order of its probabilities, where it does not name them.

    Raises:
        ModelRefused: It takes no texts, or its classes cannot be told.
        ImportError: onnxruntime is not installed.
    """
    import onnxruntime

    if (size := path.stat().st_size) > _LARGEST:
        raise ModelRefused(f"{path.name} has {size:,} bytes. At most {_LARGEST:,} are read.")
    onnxruntime.set_default_logger_severity(4)
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    asked = session.get_inputs()
    if len(asked) != 1 or asked[0].type != "tensor(string)" or len(asked[0].shape) > 2:
        taken = ", ".join(f"{each.type} {each.name}" for each in asked)
        raise ModelRefused(
            f"{path.name} must take texts, one tensor of strings. It takes {taken}. Export the whole pipeline from "
            "texts to classes, or put the texts to it yourself: python -m core audit ask classifier."
        )
    shape = (-1, 1) if len(asked[0].shape) == 2 else (-1,)
    outputs = []
    for start in range(0, len(texts), _AT_ONCE):
        given = np.array(texts[start : start + _AT_ONCE], object).reshape(shape)
        outputs.append(session.run(None, {asked[0].name: given}))
    by_output = [list(parts) for parts in zip(*outputs, strict=True)]
    labels = next((np.concatenate(parts) for parts in by_output if _are_labels(parts[0])), None)
    named = next((chain.from_iterable(parts) for parts in by_output if isinstance(parts[0], list)), None)
    if named is not None:
        return [{str(name): float(share) for name, share in row.items()} for row in named]
    numbers = next((np.concatenate(parts) for parts in by_output if _are_shares(parts[0])), None)
    if numbers is None:
        if labels is None:
            raise ModelRefused(f"{path.name} gives neither classes nor their probabilities.")
        return [str(label) for label in np.ravel(labels)]
    names = list(classes) or _names(path.name, labels, numbers)
    if len(names) != numbers.shape[1]:
        raise ModelRefused(f"{path.name} gives {numbers.shape[1]} probabilities. {len(names)} classes are named.")
    return [dict(zip(names, map(float, row), strict=True)) for row in numbers]


def _names(file: str, labels: NDArray[Any] | None, numbers: NDArray[np.float64]) -> list[str]:
    """Return the name of each probability by the labels that have the largest."""
    largest = numbers.argmax(axis=1)
    names_of: dict[int, set[str]] = {}
    for column, label in zip(largest.tolist(), () if labels is None else np.ravel(labels), strict=labels is not None):
        names_of.setdefault(column, set()).add(str(label))
    if len(names_of) < numbers.shape[1] or any(len(names) > 1 for names in names_of.values()):
        raise ModelRefused(
            f"{file} does not name the classes of its {numbers.shape[1]} probabilities. Name them in their order: "
            "--set classes=FIRST,SECOND,…"
        )
    return [next(iter(names_of[column])) for column in range(numbers.shape[1])]


def _are_labels(value: Any) -> bool:
    return isinstance(value, np.ndarray) and (value.dtype.kind in "OUSi") and value.ndim in (1, 2)


def _are_shares(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim == 2
