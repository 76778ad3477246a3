"""The audit of a model by its answers: the questions, the experiment that their answers are for, and its sentences."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.audits.asked_about import DOCUMENTS, AskedAbout, planned
from core.audits.model_plan import ENOUGH_OUT, Expected, ModelProfile, of_model
from core.audits.model_verdict import ModelVerdict, verdict
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidAnswers, InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games.answers import AnswersAudit, check_classes
from core.result import Estimate
from core.sources.answers.forms import Kind
from core.sources.answers.questions import Questions
from core.statistics.wording import decimal
from core.targets.answered_model import AnsweredModel
from core.text.marked import MarkedDocuments

QUESTIONS = "questions.jsonl"
"""What a file of questions is called."""


@dataclass(frozen=True)
class AnsweredKind:
    """A kind of model whose answers are audited.

    Attributes:
        attack: Name of the attack.
        model: Name of the model.
        limits: What the adversary had and did, and what was not tried.
    """

    attack: str
    model: str
    limits: tuple[str, str]


KINDS: Mapping[Kind, AnsweredKind] = {
    "classifier": AnsweredKind(
        "classifier_audit",
        "answered_classifier",
        (
            "The adversary knew the documents’ classes, had {own} documents beside those in question, trained logistic "
            "regressions of words on half of these and a share of the others, and saw the answer to each document.",
            "only answers to the documents, or to copies of them in a second round, were read, and shadow classifiers "
            "were of words.",
        ),
    ),
    "language_model": AnsweredKind(
        "log_probability_audit",
        "answered_language_model",
        (
            "The adversary trained no model. It compared the log-probability of each document with its length, its "
            "compressed size, its number of tokens and the frequency of its words in {own} documents.",
            "an adversary that trains language models like yours may tell more.",
        ),
    ),
}


def experiment(
    kind: Kind, documents: Mapping[str, Any], profile: ModelProfile, seed: int = 1, answers: str = ""
) -> Experiment:
    """Return the audit of a model by its answers; owners are attacked where documents name them.

    Args:
        kind: What is asked.
        documents: Fields of `core.datasets.marked_documents`, or of another dataset by its ``part``.
        profile: How much is tried.
        seed: Source of all draws.
        answers: Path of the answers, once there are some.

    Raises:
        InvalidSpec: A field breaks its rule.
    """
    tried = profile if kind == "classifier" else replace(profile, shadow_pairs=0)
    model = {"part": KINDS[kind].model, "source": answers}
    return of_model(KINDS[kind].attack, model, documents, tried, seed)


def questions(audit: Experiment, documents: MarkedDocuments) -> Questions:
    """Return the questions of an audit.

    Raises:
        Incompatible: Too few documents are marked, or they have no classes.
    """
    game, model = _played(audit), _answered(audit)
    check_classes(documents, audit.attack)  # type: ignore[arg-type]
    asked = game.asked(documents, audit.seed)
    return Questions.about(model.answering, asked, audit.as_dict(), documents.labels)


def questions_again(audit: Experiment, documents: MarkedDocuments) -> Questions:
    """Return the questions of a second round, which follow from the answers of an audit to the first.

    Raises:
        Incompatible: Nothing is worth asking again.
        InvalidAnswers: The answers are not those to the first questions.
    """
    game, model = _played(audit), _answered(audit)
    again = game.asked_again(model, documents, audit.attack, audit.seed)  # type: ignore[arg-type]
    first = audit.replace(model=model.replace(source=""))
    return Questions.about(model.answering, again, first.as_dict(), documents.labels, 2)


def audit_of(asked: Questions, answers: str, documents: str = "", second: str = "") -> Experiment:
    """Return the audit that questions were asked for, with the answers.

    Args:
        asked: The questions.
        answers: Path of the answers to the first of them.
        documents: Path of the documents where they have moved; empty where they lie as they did.
        second: Path of the answers to those of the second round; empty without one.

    Raises:
        InvalidAnswers: The questions are not those of an audit.
    """
    kind = KINDS.get(asked.kind)
    try:
        audit = Experiment.parse(asked.experiment)
        moved = {"source": documents} if documents else {}
        audit = audit.replace(
            model=_answered(audit).replace(source=answers, second=second), dataset=audit.dataset.replace(**moved)
        )
        _played(audit)
    except (TelltaleError, ValueError, TypeError) as error:
        raise InvalidAnswers(f"The first line of the questions holds no audit: {error}") from None
    if kind is None or (audit.attack.part_name(), audit.model.part_name()) != (kind.attack, kind.model):
        raise InvalidAnswers(f"The first line of the questions holds no audit of the kind {asked.kind!r}.")
    if not isinstance(audit.dataset, OwnMarkedDocuments):
        raise InvalidAnswers("The first line of the questions names no marked documents.")
    return audit


def announced(asked: Questions, documents: MarkedDocuments, audit: Experiment, profile: ModelProfile) -> str:
    """Return how much is asked, and how precise the audit will be."""
    half, about = len(_played(audit).draw(documents, audit.seed).targets) // 2, planned(audit, documents)
    rate = "" if half >= ENOUGH_OUT else f" Fewer than {ENOUGH_OUT} out: no true-positive rate at 1%."
    sentence = (
        f"Profile {profile.name}: {len(asked.texts):,} questions about {half:,} {about.targets} in and {half:,} out. "
        f"AUC to ± {Expected(profile, half, 0, 0).margin:.2f}.{rate}"
    )
    return " ".join((sentence, *about.announced))


def unanswered(asked: Questions, missing: Iterable[str], answers: str, questions_file: str) -> str:
    """Return which questions have no answer, by their lines."""
    open_lines = [asked.numbers[name] for name in missing]
    named = ", ".join(f"{number:,}" for number in open_lines[:5])
    return (
        f"{len(open_lines):,} of {len(asked.texts):,} questions have no answer in {answers}: line"
        f"{'s' * (len(open_lines) > 1)} {named}{', …' if len(open_lines) > 5 else ''} of {questions_file}. Answer "
        "them, and add the lines to the file."
    )


def left(audit: Experiment, asked: Questions) -> list[str]:
    """Return the ids of questions without an answer; none where the answers are to other questions, or malformed."""
    try:
        given = _answered(audit).read()
        given.check(asked.checksum, asked.texts)
    except TelltaleError:
        return []
    return list(given.missing(asked.texts))


def checked(audit: Experiment, asked: Questions, documents: MarkedDocuments) -> None:
    """Refuse answers that the audit cannot use, before it starts.

    Raises:
        InvalidAnswers: A line is malformed, or they answer other questions, or some are missing, or all are the same,
            or one names a class that no document has.
        InvalidDocuments: There is no such file.
    """
    model = _answered(audit)
    given = model.read()
    given.check(asked.checksum, asked.texts)
    if missing := given.missing(asked.texts):
        raise InvalidAnswers(unanswered(asked, missing, given.name, QUESTIONS))
    _played(audit).answered(model, documents, audit.attack, audit.seed)  # type: ignore[arg-type]


def concluded(kind: Kind, figures: Mapping[str, Estimate], asked: AskedAbout = DOCUMENTS) -> ModelVerdict:
    """Return the verdict that the estimates of an audit by answers give."""
    return verdict(figures, lambda figures, conclusive: _limits(kind, figures, conclusive), asked)


def kind_of(attack: str) -> Kind | None:
    """Return the kind of answers that an attack is on, by its name; None where it is on none."""
    return next((kind for kind, answered in KINDS.items() if answered.attack == attack), None)


def _limits(kind: Kind, figures: Mapping[str, Estimate], conclusive: bool) -> Iterator[str]:
    done, untried = KINDS[kind].limits
    yield done.format(own=f"{round(figures['own_documents'].value):,}")
    if (alone := figures.get("auc_one_round")) is not None:
        yield (
            "It asked again about documents whose first answer was their class, "
            f"{figures['queries'].value:.1f} texts a document altogether. By the first answers alone, AUC "
            f"{decimal(alone.value)}."
        )
    if conclusive:
        yield f"A model that withstands this attack is not proved safe: {untried}"


def _played(audit: Experiment) -> AnswersAudit:
    if not isinstance(audit.game, AnswersAudit):
        raise InvalidSpec(f"Answers are played in the game {AnswersAudit.part_name()!r}.", "game")
    return audit.game


def _answered(audit: Experiment) -> AnsweredModel:
    if not isinstance(audit.model, AnsweredModel):
        raise InvalidSpec(f"{audit.model.part_name()} is not known by answers.", "model")
    return audit.model
