"""The audit of a sentence encoder or a translator that a user holds: profiles, and what to expect before it starts."""

from pathlib import Path
from typing import Literal

import numpy as np

from core.audits.asked_about import planned
from core.audits.language_model_plan import LETTERS_A_TOKEN, OPERATIONS_A_SECOND, summary
from core.audits.model_plan import Expected, ModelProfile, profiles_with
from core.datasets.marked_documents import ReadMarkedDocuments
from core.encoders.safety import check, parameters_of
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.calibrated_audit import CalibratedAudit, check_translations
from core.games.membership.contract import rows_of
from core.models.own_encoder import OwnEncoder
from core.models.own_translator import OwnTranslator
from core.text.marked import MarkedDocuments

Kind = Literal["encoder", "translator"]
PROFILES = profiles_with(0, 0, 0)

_READ = {"encoder": 4.0, "translator": 1.0}
"""How often the tokens of a document are read: its sentences, the text, its beginnings, and two damaged copies."""
_WRITTEN = 8.0
"""How much longer a token takes that is written one after the other."""
_START = 20.0
"""Seconds for everything else."""


def expected(audit: Experiment, documents: MarkedDocuments, profile: ModelProfile) -> Expected:
    """Return the expected size, duration and precision of an audit.

    Raises:
        Incompatible: Too few documents are marked, or they have no translations.
        InvalidSpec: No folder is named, or there is none.
        ModelRefused: A folder holds no such model that can be read safely.
        ModelUnavailable: A folder is not on this machine.
    """
    model, game = audit.model, audit.game
    if not isinstance(game, CalibratedAudit):
        raise InvalidSpec(f"It is played in the game {CalibratedAudit.part_name()!r}.", "game")
    check_translations(documents, audit.attack)  # type: ignore[arg-type]
    drawn = game.draw(documents, audit.seed)
    folder, base = _folders(audit)
    rows = rows_of(drawn.targets) + drawn.outside.tolist()
    letters = np.array([sum(map(len, sides)) for sides in documents.sides(rows[:: max(len(rows) // 200, 1)])])
    tokens = len(rows) * float(np.minimum(letters / LETTERS_A_TOKEN, 2 * getattr(model, "context", 1)).mean())
    kind: Kind = "encoder" if isinstance(model, OwnEncoder) else "translator"
    writing = _WRITTEN if getattr(audit.attack, "translates", False) else 0.0
    read = parameters_of(folder) * (_READ[kind] + writing) + (parameters_of(base) if base else 0)
    seconds = 2 * read * tokens / OPERATIONS_A_SECOND + _START
    return Expected(profile, len(drawn.targets) // 2, 0, seconds / 60, planned(audit, documents))


def described(audit: Experiment, reading: ReadMarkedDocuments) -> list[str]:
    """Return what was read, and what stands in the place of shadow models, a sentence each.

    Raises:
        InvalidSpec: No folder is named, or there is none.
        ModelRefused: A folder holds no such model that can be read safely.
        ModelUnavailable: A folder is not on this machine.
    """
    folder, base = _folders(audit)
    model = audit.model
    how = f", which makes a vector of a text by {model.folder().described()}" if isinstance(model, OwnEncoder) else ""
    compared = (
        f"Base: {summary(base, check(base))}."
        if base
        else "No base is named. Name the model before it was trained on these documents by --base to compare with it."
    )
    return [
        f"{summary(folder, check(folder))}{how}.",
        f"Documents: {reading.summary()}",
        compared,
        "No shadow models are trained: the adversary is told a random half of the documents out in their place.",
    ]


def _folders(audit: Experiment) -> tuple[Path, Path | None]:
    """Return the folders of the model's network and of its base's."""
    model = audit.model
    if isinstance(model, OwnTranslator):
        return model.folder(), model.base_folder()
    if isinstance(model, OwnEncoder):
        base = model.base_folder()
        return model.folder().folder, None if base is None else base.folder
    raise InvalidSpec("This audit takes a folder with a sentence encoder or a translator.", "model")
