"""The command audit vectors: what stored vectors are and what they give away, in plain sentences."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from core.adversaries import encoder_fit
from core.adversaries.encoder_fit import Fit
from core.audits import growth, plan, profiles, storage_formats
from core.audits.plan import FRONTIER, Step
from core.audits.profiles import PROFILES, Profile
from core.audits.verdict import possible_answers, verdict
from core.commands import conclusion, vector_report
from core.commands.experiments import add_outcome, run_with_bars
from core.commands.terminal import CONDITIONS, Commands, add_set, added, bars, seed
from core.datasets.embeddings import Embeddings
from core.errors import Incompatible, InvalidSpec
from core.models.encoder import Encoder
from core.overrides import assignment
from core.report.evidence import MOST, plain
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.folders import home
from core.runtime.store import Store
from core.sources.vectors import postgres
from core.sources.vectors.postgres import Copied
from core.statistics.vector_checks import Checks, check
from core.text.vectors import Vectors

_READ_THROUGH = 1_000_000
"""Largest number of vectors that are all checked; of a larger store, only the sample is."""


def add(audits: Commands) -> None:
    """Add the command to the parser of audits."""
    audit = added(audits, "vectors", "check stored vectors, and attack them: what they give away", ends=CONDITIONS)
    audit.add_argument("path", help="file or folder with the vectors, or postgresql://… for a table with pgvector")
    audit.add_argument("--texts", default="", help="table with the text of each vector, in the same order")
    audit.add_argument("--encoder", default="", help="the encoder that may have made them (default: those known here)")
    audit.add_argument(
        "--profile",
        default="",
        help=f"how much is tried: {', '.join(PROFILES)} (default: checks only, no attack)",
    )
    audit.add_argument("--keywords", default="", metavar="WORD,…", help="words whose recall is reported apart")
    audit.add_argument(
        "--queries", default="", help="table with texts that you search for, by which retrieval is measured"
    )
    add_set(audit, "set a parameter of the dataset 'embeddings'")
    audit.add_argument("--seed", type=seed, default=1, help="seed of all random draws of the attacks")
    add_outcome(audit, "f1.low > 0.5", "asked of each attack that has the estimate; ")
    audit.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    profile = profiles.profile_named(options.profile, PROFILES) if options.profile else None
    if options.fail_if and profile is None:
        raise InvalidSpec("A condition is asked of attacks. Add --profile, such as --profile smoke.", "profile")
    connection = options.path if postgres.is_connection(options.path) else ""
    source = "" if connection else options.path
    files = {"source": source, "texts": options.texts, "queries": options.queries}
    dataset, copied = Embeddings.parse({**files, **dict(map(assignment, options.set))}), None
    if profile:
        print(profile.announced(labelled=bool(dataset.label_column)), file=sys.stderr)
    keywords = plan.keywords_in(options.keywords)
    if connection:
        dataset, copied = _copied(connection, dataset)
    with bars() as progress:
        vectors = dataset.load()
        progress.stage("Checking the vectors")
        checks, metric = _checked(dataset, vectors)
        grown, sample = growth.recognised(dataset, vectors) if profile else (dataset, vectors)
        fits = encoder_fit.fits(
            sample,
            options.encoder,
            dataset.sample_seed,
            RunContext(store=Store(), progress=progress),
        )
    name = Path(dataset.source).name
    lines = vector_report.sentences(name, vectors, metric, checks, fits)
    if copied:
        lines.insert(0, copied.summary)
    attacked: list[tuple[Step, Result]] = []
    keys: list[str] = []
    if profile:
        _require_texts(vectors, fits)
        dataset = grown
        lines += vector_report.grown(dataset.grown_from, vectors.total)
        steps = _steps(dataset, checks, fits, profile, keywords, options.seed)
        conclusion.check_conditions(options.fail_if, [step.experiment for step in steps])
        attacked, refused = _attacked(steps, {dataset.key: sample}, Engine(workers=options.workers))
        growth.remember(dataset, vectors)
        answers = {step.name: possible_answers(step, result) for step, result in attacked}
        read = [(step, result.estimates) for step, result in attacked]
        lines += verdict(read, answers).lines
        lines += refused
        by_key = {step.experiment.key: step for step, _ in attacked}
        keys = _ordered(by_key, " ".join(storage_formats.leaks(read)))
        lines += _evidence(by_key, keys)
    if options.json:
        attacks = [_summary(step, result) for step, result in attacked]
        facts: dict[str, Any] = {"vectors": vectors.total, "sample": len(vectors), "sample_seed": dataset.sample_seed}
        facts |= {"stored": vectors.described, "metric": metric or None, "left_out": vectors.left_out}
        facts |= {"copied": {"table": copied.table, "rows": copied.rows, "of": copied.total}} if copied else {}
        facts |= {"texts": bool(vectors.texts), "checks": asdict(checks), "encoders": [_plain(fit) for fit in fits]}
        facts |= {"profile": options.profile, "grown_from": dataset.grown_from, "attacks": attacks} if profile else {}
        facts |= {"keys": keys[:MOST]} if profile else {}
        print(json.dumps(plain({**facts, "said": lines}), allow_nan=False))
    else:
        print("\n".join(lines))
    return conclusion.failed_any(options.fail_if, attacked)


def _checked(dataset: Embeddings, vectors: Vectors) -> tuple[Checks, str]:
    """Check the vectors, all of them where they are few, and return the store's metric; the store is let go after."""
    stored, decoding = dataset.stored(), dataset.decoding()
    if vectors.total > _READ_THROUGH:
        return check([vectors.values], vectors.left_out), stored.metric
    return check(decoding(block, stored.described) for block in stored.blocks()), stored.metric


def _copied(connection: str, requested: Embeddings) -> tuple[Embeddings, Copied]:
    """Return the dataset that reads a copy of a table, with columns named after their roles, and what it copies."""
    copied = postgres.copied(connection, requested.columns, requested.sample, requested.sample_seed, home() / "tables")
    role_columns = {
        f"{role}_column": role if getattr(requested, f"{role}_column") else "" for role in ("owner", "label")
    }
    read = {
        "source": str(copied.path),
        "vector_column": "vector",
        "text_column": "text",
        "id_column": "id",
        "query_column": requested.query_column or requested.text_column,
        **role_columns,
    }
    return requested.replace(**read, collection=""), copied


def _steps(
    dataset: Embeddings,
    checks: Checks,
    fits: Sequence[Fit],
    profile: Profile,
    keywords: Sequence[str],
    seed: int,
) -> list[Step]:
    """Return the steps of an audit by a seed."""
    attacked, length = plan.as_attacked(dataset, checks)
    source = next((fit for fit in fits if fit.recognised), None)
    how = source and {"source": source.encoder, "pooling": source.pooling, "length": length}
    encoder, local = Encoder.parse(how) if how else None, plan.own_encoder(source.encoder if source else "")
    steps = plan.steps(attacked, encoder, profile, local, keywords)
    return [replace(step, experiment=step.experiment.replace(seed=seed)) for step in steps]


def _attacked(
    steps: Sequence[Step], read: dict[str, Any], engine: Engine
) -> tuple[list[tuple[Step, Result]], list[str]]:
    """Return the steps of an audit with their results, and why owners or classes were not asked for."""
    finished: list[tuple[Step, Result]] = []
    refused: list[str] = []
    for number, step in enumerate(steps, 1):
        print(f"Attack {number} of {len(steps)}: {step.title.rstrip(',')}", file=sys.stderr)
        try:
            finished.append((step, run_with_bars(step.experiment, engine, read=read)[0]))
        except Incompatible as error:
            if step.name not in plan.SECRETS:
                raise
            refused.append(f"The {step.name} of a text was not asked for. {error}")
    return finished, refused


def _require_texts(vectors: Vectors, fits: Sequence[Fit]) -> None:
    """Check that what is read can be compared."""
    if not any(text.strip() for text in vectors.texts):
        raise Incompatible("What an adversary reads is compared with the texts. There are none: name them by --texts.")
    if shuffled := next((fit for fit in fits if fit.shuffled), None):
        raise Incompatible(
            "The texts are in another order than the vectors, so that nothing read could be compared: "
            f"{vector_report.moved(shuffled)}."
        )


def _ordered(steps: Mapping[str, Step], leaks: str) -> list[str]:
    """Return the keys of results in the order in which reports take them: formats come last of whose leak none is said.

    Args:
        steps: The steps by their keys.
        leaks: What the verdict says of the leaks of storage formats and defenses.
    """
    return sorted(steps, key=lambda key: steps[key].name == FRONTIER and steps[key].title not in leaks)


def _evidence(steps: Mapping[str, Step], keys: Sequence[str]) -> Iterator[str]:
    """Say how results become a report, which takes a few at a time."""
    yield f"The evidence as one page: python -m core report {' '.join(keys[:MOST])} -o report.html"
    if further := keys[MOST:]:
        named = "; ".join(f"{key} ({steps[key].title.rstrip(',')})" for key in further)
        yield f"A report takes {MOST} results. The others, for another report: {named}."
    yield "On the dashboard, /runs lists the attacks, and opens each with its figures."


def _summary(step: Step, result: Result) -> dict[str, Any]:
    return {
        "name": step.name,
        "adversary": step.played(result.estimates),
        "key": step.experiment.key,
        "experiment": result.experiment,
        "estimates": {name: estimate.model_dump() for name, estimate in result.estimates.items()},
        "provenance": result.provenance.model_dump(),
    }


def _plain(fit: Fit) -> dict[str, Any]:
    return {**asdict(fit), "recognised": fit.recognised, "shuffled": fit.shuffled}
