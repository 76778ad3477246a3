"""Erases runs and all that was stored for them alone: results, trainings, tokenised corpora and logs."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from core.corpora.source import Source
from core.corpora.tokenised import discard
from core.jobs import Job, Jobs
from core.runtime.folders import writing


def erase(jobs: Jobs, keys: Collection[str]) -> None:
    """End some runs, and remove what was stored for them, except what other runs used too.

    Raises:
        StoreError: The queue or the store cannot be changed.
    """
    store, listed = jobs.store, jobs.all()
    staying = {source for job in listed if job.key not in keys for source in _sources(job)}
    for job in listed:
        if job.key not in keys:
            continue
        if job.active:
            jobs.cancel(job.key)
        jobs.forget(job.key)
        with writing(store.root):
            jobs.log(job.key).unlink(missing_ok=True)
        store.delete(job.key)
        for source in set(_sources(job)) - staying:
            discard(source)
    store.delete_trainings_of(keys)


def _sources(job: Job) -> Iterator[Source]:
    """Yield the own documents that a run reads, as the parts of its experiment name them."""

    def parts(values: Any) -> Iterator[dict[str, Any]]:
        if isinstance(values, dict):
            yield values
            for value in values.values():
                yield from parts(value)

    for part in parts(job.experiment):
        if part.get("part") == "documents" and isinstance(source := part.get("source"), str):
            yield Source(Path(source), str(part.get("text_column", "text")), str(part.get("owner_column", "")))
