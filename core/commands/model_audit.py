"""The command audit model: which documents can be inferred to have trained a model."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.audits import answer_plan, classifier_plan, folder_plan, language_model_plan, model_plan, profiles
from core.audits.asked_about import AskedAbout
from core.audits.model_plan import Expected
from core.audits.model_verdict import verdict
from core.commands.conclusion import add_owners, check_owners, told
from core.commands.experiments import add_outcome, run_with_bars
from core.commands.terminal import CONDITIONS, Commands, added, seed
from core.datasets.marked_documents import OwnMarkedDocuments, ReadMarkedDocuments
from core.encoders.folders import is_hub_id
from core.encoders.loading import kind_of
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.models.own_word_vectors import OwnVectors
from core.overrides import with_assignments
from core.runtime.engine import Engine
from core.sources import classifiers
from core.targets.held_model import Hyperparameter

_TRAINED = "A file of word vectors, a folder of a language model, sentence encoder or translator, or a classifier."


@dataclass(frozen=True)
class _Planned:
    """An audit before it starts.

    Attributes:
        audit: The experiment.
        before: What was read, a sentence each.
        expected: What to expect.
        hyperparameters: Of the shadow models; none where none are trained.
    """

    audit: Experiment
    before: list[str]
    expected: Expected
    hyperparameters: Sequence[Hyperparameter]


def add(audits: Commands) -> None:
    """Add the command to the parser of audits."""
    audit = added(
        audits, "model", "attack a model that you trained, of which you know what was in", _TRAINED, CONDITIONS
    )
    audit.add_argument(
        "path",
        help="file of word vectors: word2vec, GloVe, fastText, NumPy or safetensors, or: example; or of a classifier: "
        ".skops or .onnx; or the folder of a "
        "causal language model, a sentence encoder or a translator; or a language model's id on the Hugging Face hub",
    )
    audit.add_argument("--documents", required=True, help="table with texts and a column 'member': in, out or empty")
    audit.add_argument("--words", default="", help="list of words, one a line, for a NumPy or safetensors file")
    audit.add_argument("--base", default="", help="of a folder: the model before fine-tuning, folder or hub id")
    audit.add_argument("--profile", default="routine", help=f"how much is tried: {', '.join(model_plan.PROFILES)}")
    audit.add_argument("--seed", type=seed, default=1, help="seed of all random draws")
    audit.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter, such as epochs, window, learning_rate or owner_column; can be repeated",
    )
    add_owners(audit)
    add_outcome(audit)
    audit.set_defaults(command=_audit)


def _audit(options: argparse.Namespace) -> int:
    check_owners(options.owners)
    planned = _planned(options)
    audit = planned.audit
    print("\n".join([*planned.before, planned.expected.announced]), file=sys.stderr)
    outcome = run_with_bars(audit, Engine(workers=options.workers), options.fail_if)
    page = f"On the dashboard: /model_audit?view.result={audit.key}"
    settings = [asdict(each) for each in planned.hyperparameters]
    facts = {"hyperparameters": settings} if settings else {}
    kind = answer_plan.kind_of(audit.attack.part_name())
    figures, about = outcome[0].estimates, AskedAbout.of(outcome[0])
    concluded = verdict(figures, None, about) if kind is None else answer_plan.concluded(kind, figures, about)
    return told(audit, outcome, concluded, planned.before, options, page, **facts)


def _planned(options: argparse.Namespace) -> _Planned:
    """Return the audit of what a folder, an id on the hub or a file holds.

    Owners are attacked where a column names them, unless one says otherwise.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
        ModelRefused: A folder holds no configuration.
    """
    place = Path(options.path).expanduser()
    if place.is_dir():
        kind = kind_of(place)
        return _language_model(options) if kind == "causal" else _folder(options, kind)
    if is_hub_id(options.path) and not place.parent.exists():
        return _language_model(options)
    return _classifier(options) if classifiers.is_classifier(place) else _word_vectors(options)


def _word_vectors(options: argparse.Namespace) -> _Planned:
    """Return the audit of word vectors.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
    """
    _refuse_base(options)
    profile = profiles.profile_named(options.profile, model_plan.PROFILES)
    fields = {"source": options.path, "words": options.words}
    audit = model_plan.experiment(fields, {"source": options.documents}, profile, options.seed)
    audit = with_assignments(audit, options.set)
    model, dataset = audit.model, audit.dataset
    if not isinstance(model, OwnVectors) or not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("An audit of a model takes word vectors and marked documents.", "model")
    vectors, reading = model.read(frozenset()), dataset.read()
    settings = model_plan.hyperparameters(audit, reading.documents, _named(options.set))
    before = model_plan.described(audit, vectors, reading, model.path().name, settings)
    return _Planned(audit, before, model_plan.expected(audit, reading.documents, vectors, profile), settings)


def _named(assignments: Sequence[str]) -> set[str]:
    """Return the parameters that --set names, without what they are parameters of."""
    return {assignment.partition("=")[0].strip().rpartition(".")[2] for assignment in assignments}


def _language_model(options: argparse.Namespace) -> _Planned:
    """Return the audit of a language model.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
    """
    _refuse_words(options)
    profile = profiles.profile_named(options.profile, language_model_plan.PROFILES)
    fields = {"source": options.path, "base": options.base}
    audit = language_model_plan.experiment(fields, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = language_model_plan.expected(audit, reading.documents, profile)
    named = _named(options.set)
    settings = model_plan.hyperparameters(audit, reading.documents, named) if expected.shadows else ()
    return _Planned(audit, language_model_plan.described(audit, reading, settings), expected, settings)


def _folder(options: argparse.Namespace, kind: folder_plan.Kind) -> _Planned:
    """Return the audit of a sentence encoder or a translator.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
    """
    _refuse_words(options)
    profile = profiles.profile_named(options.profile, folder_plan.PROFILES)
    fields = {"source": options.path, "base": options.base}
    audit = folder_plan.experiment(kind, fields, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = folder_plan.expected(audit, reading.documents, profile)
    return _Planned(audit, folder_plan.described(audit, reading), expected, ())


def _classifier(options: argparse.Namespace) -> _Planned:
    """Return the audit of a classifier.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
        ModelRefused: The file is a pickle.
    """
    _refuse_words(options)
    _refuse_base(options)
    classifiers.check(Path(options.path))
    profile = profiles.profile_named(options.profile, model_plan.PROFILES)
    audit = classifier_plan.experiment({"source": options.path}, {"source": options.documents}, profile, options.seed)
    audit, reading = _with_documents(audit, options.set)
    expected = classifier_plan.expected(audit, reading.documents, profile)
    return _Planned(audit, classifier_plan.described(audit, reading), expected, ())


def _with_documents(audit: Experiment, assignments: Sequence[str]) -> tuple[Experiment, ReadMarkedDocuments]:
    """Return an audit with what --set assigns, and its documents.

    Raises:
        InvalidSpec: A parameter does not exist, or breaks its rule.
    """
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
