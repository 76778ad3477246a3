"""What an experiment is called, asks and claims: of owners, where these are the targets of an audit."""

from core.experiment import Experiment
from core.games.audit import Audit

_QUESTION = "Which owners give away that your model was trained on documents of theirs?"
_CLAIM = "Given what your model gives for the documents of an owner, the adversary tells whether it was trained on them"


def named(experiment: Experiment) -> str:
    """Return what the attack is called, with the unit where that is an owner."""
    return f"{experiment.attack.named} by owner" if _is_by_owner(experiment) else experiment.attack.named


def question(experiment: Experiment) -> str:
    """Return the question that the attack answers."""
    return _QUESTION if _is_by_owner(experiment) else experiment.attack.asks


def claim(experiment: Experiment) -> str:
    """Return what the adversary infers and from what."""
    return _CLAIM if _is_by_owner(experiment) else experiment.attack.claimed


def _is_by_owner(experiment: Experiment) -> bool:
    return isinstance(experiment.game, Audit) and experiment.game.users == "owners"
