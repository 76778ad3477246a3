"""scikit-learn pipelines as skops writes them: rebuilt from trusted types alone."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

from core.errors import ModelRefused

_OLDEST = (0, 13)
"""Versions of skops before it let some files run code in spite of its check."""
_LARGEST = 4_000_000_000
"""Bytes that a file may hold once it is unpacked."""
_NAMED = 3


def answers(path: Path, texts: Sequence[str], classes: Sequence[str]) -> list[str] | list[dict[str, float]]:
    """Return what the pipeline says of texts; its classes have names of their own.

    Raises:
        ModelRefused: It holds types that skops does not trust, or no classifier of texts.
        ImportError: skops is not installed.
    """
    import skops
    import skops.io

    if tuple(int(number) for number in skops.__version__.split(".")[:2]) < _OLDEST:
        raise ModelRefused(f"skops {skops.__version__} does not check files well enough: pip install --upgrade skops")
    with ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > _LARGEST:
        raise ModelRefused(f"{path.name} holds {size:,} bytes. At most {_LARGEST:,} are read.")
    if untrusted := skops.io.get_untrusted_types(file=path):
        named = ", ".join(untrusted[:_NAMED])
        raise ModelRefused(
            f"{path.name} holds {len(untrusted)} types that skops does not trust, as they could run any program: "
            f"{named}{', …' if len(untrusted) > _NAMED else ''}. Save a pipeline without them, or put the texts to it "
            "yourself: python -m core audit ask classifier."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of another version of scikit-learn, which mostly reads it well
        classifier = skops.io.load(path, trusted=[])
        if not hasattr(classifier, "predict") or not hasattr(classifier, "classes_"):
            raise ModelRefused(
                f"{path.name} holds {type(classifier).__name__}, which is no fitted classifier. Save the whole "
                "pipeline, from texts to classes."
            )
        if not hasattr(classifier, "predict_proba"):
            return [str(name) for name in classifier.predict(list(texts))]
        names = [str(name) for name in classifier.classes_]
        return [dict(zip(names, row, strict=True)) for row in classifier.predict_proba(list(texts)).tolist()]
