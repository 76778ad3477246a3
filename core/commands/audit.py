"""The command audit: what stored vectors are, said plainly."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries import encoder_fit
from core.adversaries.encoder_fit import Fit
from core.commands import vector_report
from core.commands.terminal import Commands, bars
from core.datasets.embeddings import Embeddings
from core.errors import InvalidSpec
from core.overrides import value_of
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.vector_checks import check
from core.text.vectors import Vectors

_READ_THROUGH = 1_000_000
"""Vectors up to which all are checked; of more, the sample."""
_AGAIN = 50
"""Texts that are embedded once more."""


def add(commands: Commands) -> None:
    """Add the command to a parser."""
    audit = commands.add_parser("audit", help="check stored vectors: what they are, and which encoder made them")
    audit.add_argument("what", choices=["vectors"], help="what to check")
    audit.add_argument("path", help="file or folder with the vectors")
    audit.add_argument("--texts", default="", help="table with the text of each vector, in the same order")
    audit.add_argument("--encoder", default="", help="the encoder that may have made them (default: those known here)")
    audit.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a parameter of the dataset 'embeddings'"
    )
    audit.add_argument("--json", action="store_true", help="print one JSON object")
    audit.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    dataset = Embeddings.parse({"source": options.path, "texts": options.texts, **_set(options.set)})
    with bars() as progress:
        vectors = dataset.load()
        progress.stage("Checking the vectors")
        checks = check(_every(dataset) if vectors.total <= _READ_THROUGH else iter([vectors.values]))
        fits = _fits(vectors, options.encoder, dataset.sample_seed, RunContext(store=Store(), progress=progress))
    name, metric = Path(options.path).name, dataset.stored().metric
    lines = vector_report.sentences(name, vectors, metric, checks, fits)
    if options.json:
        facts: dict[str, Any] = {"vectors": vectors.total, "sample": len(vectors), "sample_seed": dataset.sample_seed}
        facts |= {"stored": vectors.described, "metric": metric or None, "left_out": vectors.left_out}
        facts |= {"texts": bool(vectors.texts), "checks": asdict(checks), "encoders": [_plain(fit) for fit in fits]}
        print(json.dumps({**facts, "said": lines}, allow_nan=False))
        return 0
    print("\n".join(lines))
    return 0


def _set(assignments: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise InvalidSpec(f"--set takes NAME=VALUE. Got {assignment!r} instead.", name)
        values[name.strip()] = value_of(text.strip())
    return values


def _every(dataset: Embeddings) -> Iterator[NDArray[np.float32]]:
    """Yield all vectors of a store, block by block."""
    stored, decoding = dataset.stored(), dataset.decoding()
    for block in stored.blocks():
        yield decoding(block, stored.described)


def _fits(vectors: Vectors, encoder: str, seed: int, context: RunContext) -> list[Fit]:
    """Return how the named encoder fits, or those known here that have as many dimensions."""
    if not any(text.strip() for text in vectors.texts):
        return []
    sources = [encoder] if encoder else encoder_fit.candidates(vectors.values.shape[1])
    return [encoder_fit.fit(vectors, source, _AGAIN, seed, context) for source in sources]


def _plain(fit: Fit) -> dict[str, Any]:
    values = {**asdict(fit), "recognised": fit.recognised, "shuffled": fit.shuffled}
    return {name: None if value != value else value for name, value in values.items()}
