"""The command audit model: which documents can be inferred to have trained a model."""

import argparse
import json
import sys
from typing import Any

from core.audits import model_plan, profiles
from core.audits.model_plan import PROFILES
from core.audits.model_verdict import verdict
from core.commands.experiments import add_outcome, failed, run_with_bars
from core.commands.terminal import Commands
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.models.own_word_vectors import OwnVectors
from core.overrides import with_assignments
from core.report.evidence import plain
from core.runtime.engine import Engine


def add(audits: Commands) -> None:
    """Add the command to the parser of audits."""
    audit = audits.add_parser("model", help="attack word vectors that you trained: who is known to be in or out")
    audit.add_argument("path", help="file of the vectors: word2vec, GloVe, fastText, NumPy or safetensors; or: example")
    audit.add_argument("--documents", required=True, help="table with texts and a column 'member': in, out or empty")
    audit.add_argument("--words", default="", help="list of words, one a line, for a NumPy or safetensors file")
    audit.add_argument("--profile", default="routine", help=f"how much is tried: {', '.join(PROFILES)}")
    audit.add_argument("--seed", type=int, default=1, help="seed of all random draws")
    audit.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter, such as epochs, window, mode or owner_column; can be repeated",
    )
    add_outcome(audit)
    audit.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    profile = profiles.profile_named(options.profile, PROFILES)
    audit = _experiment(options, profile)
    model, dataset = audit.model, audit.dataset
    if not isinstance(model, OwnVectors) or not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes word vectors and marked documents.", "model")
    vectors, reading = model.read(frozenset()), dataset.read()
    before = model_plan.described(audit, vectors, reading, model.path().name)
    expected = model_plan.expected(audit, reading.documents, vectors, profile)
    print("\n".join([*before, expected.announced]), file=sys.stderr)
    result, cached = run_with_bars(audit, Engine(workers=options.workers))
    conclusion = verdict(result.estimates)
    report = f"The evidence as one page: python -m core report {audit.key} -o report.html"
    if options.json:
        facts: dict[str, Any] = {
            "key": audit.key,
            "experiment": result.experiment,
            "estimates": {name: estimate.plain() for name, estimate in result.estimates.items()},
            "conclusive": conclusion.conclusive,
            "cached": cached,
            "provenance": result.provenance.model_dump(),
            "said": [*before, *conclusion.lines],
        }
        print(json.dumps(plain(facts), allow_nan=False))
    else:
        print("\n".join([*conclusion.lines, report]))
    return failed(options.fail_if, result)


def _experiment(options: argparse.Namespace, profile: model_plan.ModelProfile) -> Experiment:
    """Return the experiment of the options; owners are attacked where a column names them, unless one says otherwise.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
    """
    model, documents = {"source": options.path, "words": options.words}, {"source": options.documents}
    audit = model_plan.experiment(model, documents, profile, options.seed)
    return with_assignments(audit, options.set)
