"""The audit of a model that a user holds: profiles and experiment, and what to expect of one of word vectors."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.attacks.audits.word_pair_audit import WordPairAudit
from core.audits.asked_about import DOCUMENTS, AskedAbout, planned
from core.datasets.marked_documents import ReadMarkedDocuments
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.audit import Audit
from core.models.own_word_vectors import OwnVectors
from core.sources.word_vectors.trained import TrainedVectors
from core.targets.held_model import HeldModel, Hyperparameter, origins_in_words
from core.targets.word_vectors import WordModel
from core.text.corpus import words_of
from core.text.marked import MarkedDocuments

Kind = Literal["word_vectors", "language_model", "encoder", "translator", "classifier"]
_PARTS: Mapping[Kind, tuple[str, str]] = {
    "word_vectors": ("word_pair_audit", "own_word_vectors"),
    "language_model": ("language_model_audit", "own_language_model"),
    "encoder": ("encoder_audit", "own_encoder"),
    "translator": ("translator_audit", "own_translator"),
    "classifier": ("classifier_audit", "own_classifier"),
}
"""Attack and model of each kind."""

ENOUGH_OUT = 100
"""Fewest targets that are out for a true-positive rate at 1%."""

_WORDS_A_SECOND = {"word2vec": 5e8, "glove": 3e7, "fasttext": 2e7}
"""Words of training text that one core reads in a second, times the dimensions, skip-gram or not; measured, then halved
as shadow models share a machine."""
_SECONDS_A_FIT = 0.0007
"""Seconds for one linear function, for each shadow model."""
_START = 20.0
"""Seconds for everything else."""


@dataclass(frozen=True)
class ModelProfile:
    """How much is tried.

    Attributes:
        name: Its name.
        targets: Most targets in, and most targets out.
        shadow_pairs: Shadow models with each of them, and as many without it; 0 where none are trained.
    """

    name: str
    targets: int
    shadow_pairs: int


def profiles_with(smoke: int, routine: int, thorough: int) -> dict[str, ModelProfile]:
    """Return the profiles by name, with these shadow pairs."""
    sized = (("smoke", 60, smoke), ("routine", 200, routine), ("thorough", 1000, thorough))
    return {name: ModelProfile(name, targets, pairs) for name, targets, pairs in sized}


PROFILES = profiles_with(15, 60, 150)


@dataclass(frozen=True)
class Expected:
    """The expected size, duration and precision of an audit.

    Attributes:
        profile: The profile.
        targets: Targets that are in; as many are out.
        shadows: Shadow models.
        minutes: Duration on two cores.
        about: What the targets are.
    """

    profile: ModelProfile
    targets: int
    shadows: int
    minutes: float
    about: AskedAbout = DOCUMENTS

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval of the AUC at chance (Hanley and McNeil 1982)."""
        return float(1.96 * ((2 * self.targets + 1) / (12 * self.targets**2)) ** 0.5)

    @property
    def announced(self) -> str:
        """Say what to expect, before anything is started."""
        rate = "" if self.targets >= ENOUGH_OUT else f" Fewer than {ENOUGH_OUT} out: no true-positive rate at 1%."
        shadows = f"{self.shadows:,}" if self.shadows else "no"
        sentence = (
            f"Profile {self.profile.name}: {self.targets:,} {self.about.targets} in and {self.targets:,} out, "
            f"{shadows} shadow models. About {max(round(self.minutes), 1)} min on two cores; "
            f"AUC to ± {self.margin:.2f}.{rate}"
        )
        return " ".join((sentence, *self.about.announced))


def experiment(
    kind: Kind, model: Mapping[str, Any], documents: Mapping[str, Any], profile: ModelProfile, seed: int = 1
) -> Experiment:
    """Return the audit of a model by its kind and the fields of its part; for the other arguments see `of_model`.

    Raises:
        InvalidSpec: A field breaks its rule.
    """
    attack, part = _PARTS[kind]
    return of_model(attack, {"part": part, **model}, documents, profile, seed)


def of_model(
    attack: str, model: Mapping[str, Any], documents: Mapping[str, Any], profile: ModelProfile, seed: int
) -> Experiment:
    """Return the audit of a model that somebody holds; owners are attacked where documents name them.

    Args:
        attack: Name of the attack.
        model: The model with its ``part``.
        documents: Fields of `core.datasets.marked_documents`, or of another dataset by its ``part``.
        profile: How much is tried.
        seed: Source of all draws.

    Raises:
        InvalidSpec: A field breaks its rule.
    """
    audit = Experiment.parse(
        {
            "attack": {"part": attack, **({"shadow_pairs": profile.shadow_pairs} if profile.shadow_pairs else {})},
            "dataset": {"part": "marked_documents", **documents},
            "model": model,
            "game": {"targets": profile.targets},
            "seed": seed,
        }
    )
    return audit.replace(game=audit.game.with_owners(True)) if audit.dataset.names_owners() else audit


def expected(audit: Experiment, documents: MarkedDocuments, vectors: TrainedVectors, profile: ModelProfile) -> Expected:
    """Return the expected size, duration and precision of an audit.

    Raises:
        Incompatible: Too few documents are marked.
        InvalidVectors: No such model can be trained here.
    """
    game, attack = audit.game, audit.attack
    if not isinstance(game, Audit) or not isinstance(attack, WordPairAudit):
        raise InvalidSpec("An audit of word vectors takes a file with them, and marked documents.", "model")
    drawn = game.draw(documents, audit.seed)
    model = trained_by(audit, vectors)
    inside = documents.rows("in")
    sample = inside[:: max(len(inside) // 200, 1)]
    words = len(inside) * sum(len(words_of(documents.texts[row])) for row in sample) / len(sample)
    shadows, targets = 2 * attack.shadow_pairs, len(drawn.targets)
    mode_factor = 1.0 if getattr(model, "mode", "") == "cbow" else 2.0
    training = shadows * words * model.epochs * model.dimension * mode_factor / _WORDS_A_SECOND[model.part_name()] / 2
    fitting = 7 * targets * shadows * _SECONDS_A_FIT / 2
    minutes = (training + fitting + _START) / 60
    return Expected(profile, targets // 2, shadows, minutes, planned(audit, documents))


def trained_by(audit: Experiment, vectors: TrainedVectors) -> WordModel:
    """Return how the shadow models of an audit are trained.

    Raises:
        InvalidVectors: No such model can be trained here.
    """
    model = audit.model
    if not isinstance(model, OwnVectors):
        raise TypeError(f"an audit of word vectors is of {OwnVectors.part_name()}, not {model.part_name()}")
    return model.trained_by(vectors.settings)


def hyperparameters(
    audit: Experiment, documents: MarkedDocuments, given: Collection[str] = ()
) -> tuple[Hyperparameter, ...]:
    """Return by what shadow models are trained, and how that is known.

    Args:
        audit: The experiment.
        documents: Its documents.
        given: Names that the user has set, which count as given also where they have the value of the default.

    Raises:
        InvalidVectors: The vectors of the model cannot be read.
    """
    if not isinstance(audit.game, Audit) or not isinstance(audit.model, HeldModel):
        raise InvalidSpec("An audit of a model takes one that you hold.", "model")
    settings = audit.game.hyperparameters(documents, audit.model)
    return tuple(replace(each, origin="given") if each.name in given else each for each in settings)


def described(
    vectors: TrainedVectors,
    reading: ReadMarkedDocuments,
    name: str,
    hyperparameters: Sequence[Hyperparameter],
) -> list[str]:
    """Return what was read, and how shadow models will be trained, a sentence each."""
    return [
        f"{name}: {vectors.total:,} words of {vectors.settings['dimension']} dimensions ({vectors.described}).",
        f"Documents: {reading.summary()}",
        f"Shadow models are trained by hyper-parameters {origins_in_words(hyperparameters)}.",
    ]
