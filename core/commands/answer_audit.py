"""The commands audit ask, answer and schema: questions that a user puts to a service, and what its answers say."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from core.audits import answer_plan, profiles
from core.audits.asked_about import AskedAbout
from core.audits.model_plan import PROFILES, ModelProfile
from core.commands.conclusion import add_owners, check_owners, print_verdict
from core.commands.experiments import add_outcome, run_with_bars
from core.commands.terminal import CONDITIONS, Commands, add_set, added, seed, whole
from core.datasets.documents import Documents
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidAnswers, InvalidDocuments, InvalidSpec, suggestion
from core.experiment import Experiment
from core.overrides import value_of, with_assignments
from core.runtime.engine import Engine
from core.runtime.folders import write_whole, writing_named
from core.runtime.seeding import generator
from core.sources import user_files
from core.sources.answers import answers, questions
from core.sources.answers.answers import Answers
from core.sources.answers.forms import KINDS, Kind, of_kind
from core.sources.answers.questions import Questions
from core.sources.answers.schema import schema

_ONLY_TEXTS: Kind = "embeddings"
"""The kind that needs no marks: its answers become vectors for another audit."""
_ASKED = "Put them to it by any means, write its answers down as audit schema says, and go on with audit answer."


def add(audits: Commands) -> None:
    """Add the commands to the parser of audits."""
    ask = added(audits, "ask", "write the questions to put to a service that cannot be loaded here", _ASKED)
    ask.add_argument("kind", help=f"what it is: {', '.join(KINDS)}")
    ask.add_argument(
        "--documents",
        default="",
        help=f"table of texts; needs a column 'member' (in, out or empty) unless kind is {_ONLY_TEXTS}",
    )
    ask.add_argument(
        "--again",
        nargs=2,
        default=(),
        metavar=("QUESTIONS", "ANSWERS"),
        help="write a second round of questions for a classifier that returns only the class, from the first round's "
        "questions and answers",
    )
    ask.add_argument("--profile", default="routine", help=f"how much is asked: {', '.join(PROFILES)}")
    ask.add_argument(
        "--texts", type=whole(" of at least 1", 1), default=2000, help="most texts whose vectors are asked for"
    )
    ask.add_argument("--seed", type=seed, default=1, help="seed of all random draws")
    add_set(ask, "set a parameter, such as text_column, label_column or owner_column; can be repeated")
    ask.add_argument("-o", "--output", default="", help="file to write (default: standard output)")
    ask.set_defaults(command=_ask)

    answer = added(audits, "answer", "audit the answers to the questions of audit ask", ends=CONDITIONS)
    answer.add_argument("questions", help="the questions, as audit ask wrote them")
    answer.add_argument("answers", help="the answers, a JSON object a line")
    answer.add_argument("--documents", default="", help="the table of texts, where it has moved since")
    answer.add_argument("--first", default="", help="of questions of a second round: the answers to the first")
    answer.add_argument("--rest", default="", help="file for the questions that have no answer yet")
    answer.add_argument("-o", "--output", default="", help="file to write vectors to, for audit vectors")
    add_owners(answer)
    add_outcome(answer)
    answer.set_defaults(command=_answer)

    schema_of_files = added(audits, "schema", "print the JSON schema of questions and answers")
    schema_of_files.set_defaults(command=_schema)


def _schema(options: argparse.Namespace) -> int:
    print(json.dumps(schema(), indent=1))
    return 0


def _ask(options: argparse.Namespace) -> int:
    if options.kind not in KINDS:
        raise InvalidSpec(f"No kind of service is named {options.kind!r}.{suggestion(options.kind, KINDS)}", "kind")
    profile = profiles.profile_named(options.profile, PROFILES)
    asked, messages = _asked(options, profile)
    forms = "; or ".join(form.gives for form in of_kind(asked.kind))
    messages += [
        f"Put each text to the service as it is, and write down {forms}: docs/answers.md has the form of a line."
    ]
    print("\n".join(messages), file=sys.stderr)
    if options.output:
        _write(options.output, asked.written())
    else:
        for line in asked.written():
            print(line)
    return 0


def _asked(options: argparse.Namespace, profile: ModelProfile) -> tuple[Questions, list[str]]:
    """Return the questions, and what they are about."""
    if options.again:
        return _again(options)
    if not options.documents:
        raise InvalidSpec("Name the table of texts by --documents.", "documents")
    return _of_texts(options) if options.kind == _ONLY_TEXTS else _of_members(options, profile)


def _again(options: argparse.Namespace) -> tuple[Questions, list[str]]:
    """Return the questions of a second round, and what they are about."""
    file, answered = map(Path, options.again)
    first, _ = _complete(file, answered)
    if first.round != 1 or first.kind != options.kind:
        raise InvalidAnswers(
            f"{file.name} holds questions of round {first.round} to {first.kind!r}. Name those of the first round to "
            f"{options.kind!r}."
        )
    audit = answer_plan.audit_of(first, str(answered), options.documents)
    _find_documents(audit)
    asked = answer_plan.questions_again(audit, audit.dataset.load())
    message = (
        f"Second round: {len(asked.texts):,} copies, with words left out, of the documents whose first answer was "
        f"their class. Go on with: python -m core audit answer QUESTIONS ANSWERS --first {answered.name}"
    )
    return asked, [message]


def _complete(file: Path, answered: Path, rest: str = "") -> tuple[Questions, Answers]:
    """Return questions, and the answers to all of them."""
    for path in (file, answered):
        user_files.located(str(path))
    asked = questions.read(file)
    given = answers.read(answered, asked.kind)
    given.check(asked.checksum, asked.texts)
    if missing := given.missing(asked.texts):
        message = answer_plan.unanswered(asked, missing, answered.name, file.name)
        if rest:
            _write(rest, asked.written(missing))
            raise InvalidAnswers(f"{message} {rest} holds these questions alone.")
        raise InvalidAnswers(f"{message} --rest FILE writes these questions alone.")
    return asked, given


def _of_members(options: argparse.Namespace, profile: ModelProfile) -> tuple[Questions, list[str]]:
    """Return the questions about documents in and out, and what was read of these."""
    audit = answer_plan.experiment(options.kind, {"source": options.documents}, profile, options.seed)
    audit = with_assignments(audit, options.set)
    dataset = audit.dataset
    if not isinstance(dataset, OwnMarkedDocuments):
        raise InvalidSpec("Questions are about marked documents of your own.", "dataset")
    reading = dataset.read()
    asked = answer_plan.questions(audit, reading.documents)
    announced = answer_plan.announced(asked, reading.documents, audit, profile)
    return asked, [f"Documents: {reading.summary()}", announced]


def _of_texts(options: argparse.Namespace) -> tuple[Questions, list[str]]:
    """Return the questions about texts whose vectors are wanted, and what was read of these."""
    fields = dict(assignment.partition("=")[::2] for assignment in options.set)
    dataset = Documents.parse({**{name: value_of(text) for name, text in fields.items()}, "source": options.documents})
    reading = dataset.read()
    texts = reading.documents.texts
    if options.texts < 1:
        raise InvalidSpec(f"The 'texts' parameter must be at least 1. Got {options.texts} instead.", "texts")
    chosen = generator(options.seed, "texts in question").permutation(len(texts))[: options.texts]
    asked = Questions.about(options.kind, (texts[row] for row in chosen), {"dataset": dataset.as_dict()})
    return asked, [f"Documents: {reading.summary()}", f"{len(asked.texts):,} texts are asked about."]


def _answer(options: argparse.Namespace) -> int:
    file, answered = Path(options.questions), Path(options.answers)
    asked, given = _complete(file, answered, options.rest)
    if asked.kind == _ONLY_TEXTS:
        return _as_vectors(asked, given, options)
    if (asked.round == 2) != bool(options.first):
        raise InvalidAnswers(
            f"{file.name} holds questions of round {asked.round}. --first FILE names the answers to the first round, "
            "with questions of the second only."
        )
    second = options.answers if options.first else ""
    audit = answer_plan.audit_of(asked, options.first or options.answers, options.documents, second)
    check_owners(options.owners, audit)
    _find_documents(audit)
    before = [f"{answered.name}: {len(asked.texts):,} answers, each {given.form.gives}."]
    print("\n".join(before), file=sys.stderr)
    outcome = run_with_bars(audit, Engine(workers=options.workers), options.fail_if)
    concluded = answer_plan.concluded(asked.kind, outcome[0].estimates, AskedAbout.of(outcome[0]))
    return print_verdict(audit, outcome, concluded, before, options)


def _find_documents(audit: Experiment) -> None:
    """Look for the documents that the questions name, before anything is run."""
    source = audit.dataset.as_dict()["source"]
    try:
        user_files.located(source)
    except InvalidDocuments as error:
        raise InvalidDocuments(
            f"{error} The questions name it as seen from another folder, or it has moved: --documents FILE names the "
            "table that they were asked about."
        ) from None


def _as_vectors(asked: Questions, given: Answers, options: argparse.Namespace) -> int:
    """Write texts with their vectors for the audit of vectors."""
    if options.json or options.fail_if:
        raise InvalidSpec("Vectors are no verdict yet: --json and --fail-if go with 'audit vectors'.", "json")
    output = options.output or "vectors.jsonl"
    if not output.endswith(".jsonl"):
        raise InvalidSpec(f"Vectors are written as JSON lines. Name a file such as 'vectors.jsonl', not {output!r}.")
    rows = (
        json.dumps({"id": name, "text": text, "embedding": given.by_id[name].packed.tolist()})
        for name, text in asked.texts.items()
    )
    _write(output, rows)
    print(f"Audit them: python -m core audit vectors {output} --profile routine")
    return 0


def _write(name: str, lines: Iterable[str]) -> None:
    path = Path(name)
    content = "".join(f"{line}\n" for line in lines).encode()
    with writing_named(path):
        write_whole(path, content)
    print(f"wrote {path}: {len(content):,} bytes", file=sys.stderr)
