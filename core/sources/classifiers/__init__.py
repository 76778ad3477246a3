"""Classifiers of texts in files that hold no pickle: what each says of texts; one module a format."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import ModelRefused
from core.runtime import memory
from core.sources.classifiers import onnx_graph, skops_pipeline

Answers = list[str] | list[dict[str, float]]
"""The class of each text, or the probability of each class."""
_FORMATS: dict[str, Callable[[Path, Sequence[str], Sequence[str]], Answers]] = {
    ".skops": skops_pipeline.answers,
    ".onnx": onnx_graph.answers,
}
_QUOTATION = re.compile(r"['\"“\[]")
"""Where a library may begin to quote the texts that it was given, which belong in no message."""
_PREFIX = re.compile(r"^\[\w+\]\s*:?\s*")
"""What onnxruntime begins its messages with."""
_PICKLED = (".pkl", ".pickle", ".joblib")


def is_classifier(path: Path) -> bool:
    """Tell whether a file is named as a classifier is, whether or not it can be read."""
    return path.suffix.lower() in (*_FORMATS, *_PICKLED)


def check(path: Path) -> None:
    """Refuse a file of another kind; nothing of it is read.

    Raises:
        ModelRefused: It is a pickle, or of no known kind.
    """
    if path.suffix.lower() in _PICKLED:
        raise ModelRefused(
            f"{path.name} holds a pickle, which can run any program; none is ever loaded here. Where it was made, save "
            f"it as data (pip install skops): skops.io.dump(classifier, {path.with_suffix('.skops').name!r}). Or put "
            "the texts to it yourself: python -m core audit ask classifier."
        )
    if path.suffix.lower() not in _FORMATS:
        raise ModelRefused(f"{path.name} holds no classifier that is known here: {', '.join(_FORMATS)}.")


def answers(path: Path, texts: Sequence[str], classes: Sequence[str] = ()) -> Answers:
    """Return what the classifier in a file says of texts.

    Args:
        path: The file.
        texts: What it is asked about.
        classes: Names of the classes in the order of the probabilities, where the file does not name them.

    Raises:
        ModelRefused: It cannot be read safely, does not take texts, or its library is not installed.
        OutOfMemory: The process met its memory limit.
    """
    check(path)
    try:
        with memory.reported():
            return _FORMATS[path.suffix.lower()](path, texts, classes)
    except ModelRefused:
        raise
    except ImportError as error:
        library = {".skops": "skops", ".onnx": "onnxruntime"}[path.suffix.lower()]
        raise ModelRefused(f"To read {path.name}: pip install {library} ({error.name} is missing).") from None
    except Exception as error:  # broken files lead to any
        line = _PREFIX.sub("", str(error).strip()).partition("\n")[0][:300]
        line = _QUOTATION.split(line)[0].strip()
        raise ModelRefused(f"The classifier in {path.name} does not run: {line or type(error).__name__}") from error
