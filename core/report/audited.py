"""What the estimates of the audit of one model are to a report: its main figure, and whether they conclude anything."""

from core.result import Result, headline

_GAMES = ("audit", "answers")
_MAIN = "auc"
"""The figure that the verdict of an audit of one model judges."""
BLIND = "auc_model_free"
"""The same figure of the blind baseline, which asks no model."""


def is_audit(result: Result) -> bool:
    """Tell whether a result is of the audit of one model."""
    return result.experiment.get("game", {}).get("part") in _GAMES


def main_figures(result: Result) -> dict[int, str]:
    """Return the names of the main figures by target size: of an audit what its verdict judges, else the headline."""
    return {0: _MAIN} if is_audit(result) and _MAIN in result.estimates else headline(result.estimates)


def conclusive(result: Result) -> bool | None:
    """Tell whether the marks allow a conclusion about the audited model; None where no model is audited.

    Where the blind baseline tells ins from outs, no figure says anything about the model.
    """
    blind = result.estimates.get(BLIND)
    return None if blind is None or not is_audit(result) else not blind.above_chance()
