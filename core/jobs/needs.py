"""Files of datasets, and encoders, that a run reads and this machine lacks."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.datasets import Dataset
from core.encoders.folders import is_hub_id, locate
from core.encoders.records import RECORDS
from core.registry import Part
from core.sources.location import located
from core.spec import Spec


@dataclass(frozen=True)
class Need:
    """A dataset or an encoder that is not on this machine.

    Attributes:
        title: What people call it.
        size: Bytes to download, estimated for an encoder; None where not known, or nothing can be downloaded.
        obstacle: Why a run cannot fetch it; empty where it can.
    """

    title: str
    size: int | None = None
    obstacle: str = ""


def needs(spec: Spec) -> tuple[Need, ...]:
    """Return what an experiment or a part of one reads that is not on this machine, each once; nothing is opened."""
    return tuple(dict.fromkeys(_missing(spec)))


def _missing(spec: Spec) -> Iterator[Need]:
    if isinstance(spec, Dataset):
        files = {(source.name, file.path): (source, file) for source in spec.sources() for file in source.files}
        sizes = [file.size for source, file in files.values() if located(source, file) is None]
        if sizes:
            yield Need(spec.title, sum(sizes))
    if isinstance(spec, Part):
        for source, revision in spec.named_encoders():
            if locate(source, revision) is None:
                yield _encoder(source)
    for name in type(spec).model_fields:
        value = getattr(spec, name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Spec):
                yield from _missing(inner)


def _encoder(source: str) -> Need:
    record = RECORDS.get(source)
    if record is None:
        return Need(source, obstacle="" if is_hub_id(source) else "There is no such folder on this machine.")
    if record.unavailable:
        return Need(record.title, obstacle=f"It cannot be loaded: {record.unavailable}.")
    if not record.hub:
        return Need(record.title, obstacle=f"It must be trained first: {record.command}")
    return Need(record.title, record.megabytes * 1_000_000 or None)
