"""The audit of a language model that a user holds: profiles, and what to expect before it starts."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.attacks.audits.language_model_audit import MOST_OUTSIDE, LanguageModelAudit
from core.audits.asked_about import planned
from core.audits.model_plan import Expected, ModelProfile, profiles_with
from core.datasets.marked_documents import ReadMarkedDocuments
from core.encoders.loading import check_causal
from core.encoders.safety import parameters_of
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.audit import Audit
from core.models.own_language_model import OwnLanguageModel
from core.targets.held_model import Hyperparameter, origins_in_words
from core.text.marked import MarkedDocuments

_OF_SHADOWS = ("epochs", "batch", "learning_rate", "decay", "documents", "shadow_pairs", "aside", "gamma")
"""Settings of shadow models, or of statistics that need them."""

LETTERS_A_TOKEN = 4
OPERATIONS_A_SECOND = 1e10
"""Operations of one core in a second; measured, then halved as shadow models share a machine."""
_SECONDS_A_STEP = 0.02
"""Seconds of a step of training, or of reading a document, beyond its operations."""
_START = 30.0
"""Seconds for everything else."""

PROFILES = profiles_with(4, 8, 32)


def expected(audit: Experiment, documents: MarkedDocuments, profile: ModelProfile) -> Expected:
    """Return the expected size, duration and precision of an audit.

    Raises:
        Incompatible: Too few documents are marked.
        ModelRefused: A folder holds no causal language model that can be read safely.
        ModelUnavailable: A folder is not on this machine.
    """
    game, model, attack = _parts(audit)
    drawn = game.draw(documents, audit.seed)
    sample = documents.texts[:: max(len(documents) // 200, 1)]
    tokens = sum(min(len(text) / LETTERS_A_TOKEN, model.context) for text in sample) / len(sample)
    size = parameters_of(model.folder())
    asked = sum(target.size for target in drawn.targets)
    outside = min(MOST_OUTSIDE, len(drawn.auxiliary))
    shadows = 2 * attack.shadow_pairs if model.origin else 0
    trained = min(len(documents.rows("in")), len(drawn.auxiliary) + asked // 2)
    steps = shadows * model.epochs * trained
    reading = (4 + shadows) * (asked + outside)
    operations = size * tokens * (6 * steps + 2 * reading)
    waiting = _SECONDS_A_STEP * (steps / model.batch + reading / 8)
    seconds = (operations / OPERATIONS_A_SECOND + waiting) / 2 + _START
    return Expected(profile, len(drawn.targets) // 2, shadows, seconds / 60, planned(audit, documents))


def described(
    audit: Experiment,
    reading: ReadMarkedDocuments,
    hyperparameters: Sequence[Hyperparameter],
    given: Collection[str] = (),
) -> list[str]:
    """Return what was read, and how shadow models will be trained, a sentence each.

    Raises:
        ModelRefused: A folder holds no causal language model that can be read safely.
        ModelUnavailable: A folder is not on this machine.
    """
    _, model, attack = _parts(audit)
    lines = [_network(model.folder()), f"Documents: {reading.summary()}"]
    if (base := model.base_folder()) is None:
        idle = [name for name in _OF_SHADOWS if name in given]
        unused = f" Without it, what you set changes nothing: {', '.join(idle)}." if idle else ""
        return [
            *lines,
            "No base is named, so that no shadow models are trained. Name the model before fine-tuning by --base to "
            f"try the strongest attacks.{unused}",
        ]
    trained = f"Shadow models are fine-tuned from it by hyper-parameters {origins_in_words(hyperparameters)}."
    return [*lines, f"Base: {_network(base)}{f' {trained}' if attack.shadow_pairs else ''}"]


def _parts(audit: Experiment) -> tuple[Audit, OwnLanguageModel, LanguageModelAudit]:
    game, model, attack = audit.game, audit.model, audit.attack
    if (
        not isinstance(game, Audit)
        or not isinstance(model, OwnLanguageModel)
        or not isinstance(attack, LanguageModelAudit)
    ):
        raise InvalidSpec("An audit of a language model takes a folder with one, and marked documents.", "model")
    return game, model, attack


def _network(folder: Path) -> str:
    """Return what a folder holds as a sentence."""
    return f"{summary(folder, check_causal(folder))}."


def summary(folder: Path, configuration: Mapping[str, Any]) -> str:
    """Return what a folder holds in words, by its configuration."""
    architectures = configuration.get("architectures")
    named = str(architectures[0]) if isinstance(architectures, list) and architectures else "a network"
    return f"{folder.name}: {named} with {_written(parameters_of(folder))} parameters"


def _written(count: int) -> str:
    """Return a number of parameters in words.

    >>> _written(163_840), _written(124_439_808), _written(1_300_000_000)
    ('163,840', '124 million', '1.3 billion')
    """
    if count >= 1e9:
        return f"{count / 1e9:.1f} billion"
    return f"{count / 1e6:.0f} million" if count >= 1e6 else f"{count:,}"
