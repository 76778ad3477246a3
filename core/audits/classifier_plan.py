"""The audit of a classifier that a user holds in a file: what to expect before it starts."""

from core.attacks.audits.classifier_audit import ClassifierAudit
from core.audits.asked_about import planned
from core.audits.model_plan import Expected, ModelProfile
from core.datasets.marked_documents import ReadMarkedDocuments
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.answers import AnswersAudit, check_classes
from core.models.own_classifier import OwnClassifier
from core.sources import classifiers
from core.text.marked import MarkedDocuments

_SECONDS_A_DOCUMENT = 2e-4
"""Seconds that a document takes in the training of a shadow classifier, for each class."""
_START = 20.0
"""Seconds for everything else."""


def expected(audit: Experiment, documents: MarkedDocuments, profile: ModelProfile) -> Expected:
    """Return the expected size, duration and precision of an audit.

    Raises:
        Incompatible: Too few documents are marked, or they have no classes.
    """
    game, attack = audit.game, audit.attack
    if not isinstance(game, AnswersAudit) or not isinstance(attack, ClassifierAudit):
        raise InvalidSpec("An audit of a classifier takes a file with one, and marked documents.", "model")
    check_classes(documents, attack)
    drawn = game.draw(documents, audit.seed)
    asked = sum(target.size for target in drawn.targets)
    shadows = 2 * attack.shadow_pairs
    trained = min(len(documents.rows("in")), len(drawn.auxiliary) + asked // 2)
    minutes = (shadows * trained * len(set(documents.labels)) * _SECONDS_A_DOCUMENT / 2 + _START) / 60
    return Expected(profile, len(drawn.targets) // 2, shadows, minutes, planned(audit, documents))


def described(audit: Experiment, reading: ReadMarkedDocuments) -> list[str]:
    """Return what was read, and how shadow models will be trained, a sentence each.

    Raises:
        InvalidDocuments: There is no such file.
        ModelRefused: It is a pickle, or of no known kind.
    """
    model = audit.model
    if not isinstance(model, OwnClassifier):
        raise InvalidSpec("This audit takes a file with a classifier.", "model")
    path = model.path()
    classifiers.check(path)
    return [
        f"{path.name}: a classifier, {path.stat().st_size:,} bytes. It is asked about each document in question, and "
        "again about copies of some if it returns only the class.",
        f"Documents: {reading.summary()}",
        "Shadow models are logistic regressions of words, whatever your classifier is.",
    ]
