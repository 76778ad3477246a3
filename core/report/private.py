"""What a report withholds by default: texts, names and paths that its user brought."""

from collections.abc import Iterator
from typing import Any, get_args

from core import catalog
from core.datasets import Dataset
from core.encoders.records import RECORDS, NamesEncoders
from core.experiment import Experiment
from core.models.encoder import Encoder
from core.spec import Spec

WITHHELD = "withheld"
NAMES_NOTHING = ("inversion", "ranking")
"""Games whose subgroups and estimates bear no name from the data."""
_POOLINGS = get_args(Encoder.model_fields["pooling"].annotation)


def is_private(experiment: Experiment) -> bool:
    """Tell whether somebody typed or brought a part of an experiment: a sentence, keywords, documents, an encoder.

    The promised results are public, and so is what their experiments name.
    """
    values = experiment.as_dict()
    if any(entry.values == values for entry in catalog.entries()):
        return False
    return any(isinstance(owner, Dataset) and owner.card.citation == "none" for owner in _specs(experiment)) or any(
        _typed(owner, name) for owner in _specs(experiment) for name in type(owner).model_fields
    )


def public(owner: Spec) -> dict[str, Any]:
    """Return an experiment, or a part of one, as plain values without what its user typed or brought."""
    values = owner.as_dict()
    for name in type(owner).model_fields:
        value = getattr(owner, name)
        if _typed(owner, name):
            values[name] = WITHHELD
        elif isinstance(value, Spec):
            values[name] = public(value)
        elif isinstance(value, tuple) and any(isinstance(item, Spec) for item in value):
            values[name] = [public(item) for item in value]
    return values


def _typed(owner: Spec, name: str) -> bool:
    """Tell whether a field holds free text other than its default; where encoders are named, known ones are none."""
    field, value = type(owner).model_fields[name], getattr(owner, name)
    if "Literal" in str(field.annotation) or value == field.get_default():
        return False
    texts = value if isinstance(value, tuple) else (value,)
    encoders = any(isinstance(mark, NamesEncoders) for mark in field.metadata)
    return any(isinstance(text, str) and text and not (encoders and _known(text)) for text in texts)


def _known(name: str) -> bool:
    """Tell whether a text is the name of a known encoder, with ``@`` and a pooling or without, and nothing else."""
    source, at, pooling = name.partition("@")
    return (source in RECORDS or not source) and (not at or pooling in _POOLINGS)


def _specs(owner: Spec) -> Iterator[Spec]:
    """Yield a spec and all those inside it."""
    yield owner
    for name in type(owner).model_fields:
        value = getattr(owner, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Spec):
                yield from _specs(item)
