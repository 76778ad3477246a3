"""The command audit model, and the same in Python: which documents can be inferred to have trained a model."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.audits import answer_plan, classifier_plan, folder_plan, language_model_plan, model_plan, profiles
from core.audits.asked_about import AskedAbout
from core.audits.model_plan import Expected
from core.audits.model_verdict import ModelVerdict, verdict
from core.commands.conclusion import add_owners, check_owners, print_verdict
from core.commands.experiments import add_outcome, run_with_bars
from core.commands.terminal import CONDITIONS, Commands, add_set, added, seed
from core.datasets.marked_documents import OwnMarkedDocuments, ReadMarkedDocuments
from core.encoders.folders import is_hub_id
from core.encoders.loading import kind_of
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.models.own_word_vectors import OwnVectors
from core.overrides import with_assignments
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.sources import classifiers
from core.targets.held_model import Hyperparameter, assumed

_TRAINED = "A file of word vectors, a folder of a language model, sentence encoder or translator, or a classifier."


@dataclass(frozen=True)
class _Planned:
    """An audit before it starts: ``before`` says what was read, a sentence each."""

    audit: Experiment
    before: list[str]
    expected: Expected
    hyperparameters: Sequence[Hyperparameter]

    def known(self, result: Result) -> Result:
        """Return a result that calls given what the user gave, also where that is the default."""
        if "assumed_settings" not in result.estimates:
            return result
        return replace(result, estimates={**result.estimates, "assumed_settings": assumed(self.hyperparameters)})


@dataclass(frozen=True)
class Audited:
    """What an audit of a model found.

    Attributes:
        experiment: The audit.
        result: Its result.
        verdict: What follows from it, in sentences.
    """

    experiment: Experiment
    result: Result
    verdict: ModelVerdict


def audit(
    path: str | Path,
    documents: str | Path,
    *,
    base: str | Path = "",
    words: str | Path = "",
    profile: str = "routine",
    seed: int = 1,
    context: RunContext | None = None,
    **settings: Any,
) -> Audited:
    """Audit a model that somebody trained, as the command ``audit model`` does, or read the stored result.

    Args:
        path: File of word vectors or of a classifier, or folder of a language model, sentence encoder or translator.
        documents: Table of texts, with a column ``member``.
        base: Of a folder: the model before it was trained on these documents.
        words: List of words of a matrix of word vectors.
        profile: How much is tried: ``smoke``, ``routine`` or ``thorough``.
        seed: Source of all draws.
        context: Store, engine and progress; when None, the user's folder, this machine and no progress report.
        settings: What ``--set`` sets, such as ``epochs=10`` or ``owner_column="author"``.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
        DataError: Documents or model cannot be read.
        Incompatible: Too few documents are marked.
        ModelRefused: The model cannot be read safely.
    """
    named = {"path": path, "documents": documents, "base": base, "words": words}
    assigned = [f"{name}={value}" for name, value in settings.items()]
    texts = {name: str(value) for name, value in named.items()}
    planned = _planned(argparse.Namespace(**texts, profile=profile, seed=seed, set=assigned))
    result = planned.known(run(planned.audit, context)[0])
    return Audited(planned.audit, result, _concluded(planned.audit, result))


def _concluded(audit: Experiment, result: Result) -> ModelVerdict:
    """Return what follows from the result of an audit."""
    kind, about = answer_plan.kind_of(audit.attack.part_name()), AskedAbout.of(result)
    figures = result.estimates
    return verdict(figures, None, about) if kind is None else answer_plan.concluded(kind, figures, about)


def add(audits: Commands) -> None:
    """Add the command to the parser of audits."""
    command = added(
        audits, "model", "attack a model that you trained, of which you know what was in", _TRAINED, CONDITIONS
    )
    command.add_argument(
        "path",
        help="file of word vectors: word2vec, GloVe, fastText, NumPy or safetensors, or: example; or of a classifier: "
        ".skops or .onnx; or the folder of a "
        "causal language model, a sentence encoder or a translator; or a language model's id on the Hugging Face hub",
    )
    command.add_argument(
        "--documents",
        required=True,
        help="table with the columns 'text' and 'member' (in, out or empty), or others that --set text_column=NAME and "
        "--set member_column=NAME name",
    )
    command.add_argument("--words", default="", help="list of words, one a line, for a NumPy or safetensors file")
    command.add_argument("--base", default="", help="of a folder: the model before fine-tuning, folder or hub id")
    command.add_argument("--profile", default="routine", help=f"how much is tried: {', '.join(model_plan.PROFILES)}")
    command.add_argument("--seed", type=seed, default=1, help="seed of all random draws")
    add_set(command, "set a parameter, such as epochs, window, learning_rate or owner_column; can be repeated")
    add_owners(command)
    add_outcome(command)
    command.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    planned = _planned(options)
    audit = planned.audit
    check_owners(options.owners, audit)
    print("\n".join([*planned.before, planned.expected.announced]), file=sys.stderr)
    stored, cached = run_with_bars(audit, Engine(workers=options.workers), options.fail_if)
    result = planned.known(stored)
    settings = [asdict(each) for each in planned.hyperparameters]
    facts = {"hyperparameters": settings} if settings else {}
    return print_verdict(audit, (result, cached), _concluded(audit, result), planned.before, options, **facts)


def _planned(options: argparse.Namespace) -> _Planned:
    """Return the audit of what a folder, an id on the hub or a file holds.

    Owners are attacked where a column names them, unless one says otherwise.
    """
    path = Path(options.path).expanduser()
    if path.is_dir():
        kind = kind_of(path)
        return _language_model(options) if kind == "causal" else _folder(options, kind)
    if is_hub_id(options.path) and not path.parent.exists():
        return _language_model(options)
    return _classifier(options) if classifiers.is_classifier(path) else _word_vectors(options)


def _word_vectors(options: argparse.Namespace) -> _Planned:
    _refuse_base(options)
    profile = profiles.profile_named(options.profile, model_plan.PROFILES)
    fields = {"source": options.path, "words": options.words}
    audit = model_plan.experiment("word_vectors", fields, {"source": options.documents}, profile, options.seed)
    audit = with_assignments(audit, options.set)
    model, dataset = audit.model, audit.dataset
    if not isinstance(model, OwnVectors) or not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes word vectors and marked documents.", "model")
    vectors, reading = model.read(frozenset()), dataset.read()
    settings = model_plan.hyperparameters(audit, reading.documents, _named(options.set))
    before = model_plan.described(vectors, reading, model.path().name, settings)
    return _Planned(audit, before, model_plan.expected(audit, reading.documents, vectors, profile), settings)


def _named(assignments: Sequence[str]) -> set[str]:
    """Return the parameters that --set names, without what they are parameters of."""
    return {assignment.partition("=")[0].strip().rpartition(".")[2] for assignment in assignments}


def _language_model(options: argparse.Namespace) -> _Planned:
    _refuse_words(options)
    profile = profiles.profile_named(options.profile, language_model_plan.PROFILES)
    fields = {"source": options.path, "base": options.base}
    audit = model_plan.experiment("language_model", fields, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = language_model_plan.expected(audit, reading.documents, profile)
    named = _named(options.set)
    settings = model_plan.hyperparameters(audit, reading.documents, named) if expected.shadows else ()
    return _Planned(audit, language_model_plan.described(audit, reading, settings, named), expected, settings)


def _folder(options: argparse.Namespace, kind: folder_plan.Kind) -> _Planned:
    """Return the audit of a sentence encoder or a translator."""
    _refuse_words(options)
    profile = profiles.profile_named(options.profile, folder_plan.PROFILES)
    fields = {"source": options.path, "base": options.base}
    audit = model_plan.experiment(kind, fields, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = folder_plan.expected(audit, reading.documents, profile)
    return _Planned(audit, folder_plan.described(audit, reading), expected, ())


def _classifier(options: argparse.Namespace) -> _Planned:
    _refuse_words(options)
    _refuse_base(options)
    classifiers.check(Path(options.path))
    profile = profiles.profile_named(options.profile, model_plan.PROFILES)
    fields = {"source": options.path}
    audit = model_plan.experiment("classifier", fields, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = classifier_plan.expected(audit, reading.documents, profile)
    return _Planned(audit, classifier_plan.described(audit, reading), expected, ())


def _with_documents(audit: Experiment, assignments: Sequence[str]) -> tuple[Experiment, ReadMarkedDocuments]:
    """Return an audit with what --set assigns, and its documents."""
    audit = with_assignments(audit, assignments)
    if not isinstance(audit.dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes marked documents.", "dataset")
    return audit, audit.dataset.read()


def _refuse_base(options: argparse.Namespace) -> None:
    if options.base:
        raise InvalidSpec(f"--base is of a model in a folder. {options.path} is no folder.", "base")


def _refuse_words(options: argparse.Namespace) -> None:
    if options.words:
        raise InvalidSpec(f"--words is of a file of word vectors, which {options.path} is not.", "words")
