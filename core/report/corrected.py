"""Figures of a result that lie above their chance, corrected for how many figures it has, as plain values."""

from typing import Any

from core.audits import figures_above
from core.experiment import Experiment
from core.report import audited, private
from core.result import Estimate, Result


def above_chance(experiment: Experiment, result: Result, *, with_names: bool) -> dict[str, Any]:
    """Return how many figures of a result lie above chance, of how many, and those beside the main ones.

    Corrected as by `core.audits.figures_above.above_chance`. Where none is left, ``uncorrected`` are those beside the
    main ones whose own interval lies above chance.
    """
    with_names |= audited.is_audit(result) or experiment.game.part_name() in private.NAMES_NOTHING
    figures = figures_above.compared(result.estimates)
    above = figures_above.above_chance(result.estimates)
    own = figures if not above else {}
    main = [name if name in figures else name.rpartition("_")[0] for name in audited.main_figures(result).values()]

    def described(name: str, figure: Estimate) -> dict[str, Any]:
        return {"label": audited.labelled(name, result) if with_names else None, **figure.model_dump()}

    return {
        "count": len(above),
        "of": len(figures),
        "most": audited.labelled(next(iter(above)), result) if above and with_names else None,
        "others": [described(name, figure) for name, figure in above.items() if name not in main],
        "uncorrected": [
            described(name, figure) for name, figure in own.items() if figure.above_chance() and name not in main
        ],
    }


def is_useful(name: str, result: Result) -> bool:
    """Tell whether a result has an estimate, and it says how well a model serves its purpose."""
    return name in result.estimates and figures_above.OF_THE_MODEL.fullmatch(name) is not None
