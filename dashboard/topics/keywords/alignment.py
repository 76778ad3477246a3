"""The DANN aligned with all victims beside the one aligned with those asked about a keyword."""

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, panels, related
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import alignment as charts

_FIELDS = ("classifier", "alignment")


def is_beside(result: Result, experiment: Experiment) -> bool:
    """Tell whether there are stored results of both, on the data of an experiment."""
    return set(_aligned(result, experiment)) == {"all", "asked"}


def show(result: Result, experiment: Experiment) -> None:
    """Draw both, where there are both."""
    if not is_beside(result, experiment):
        return
    aligned = _aligned(result, experiment)
    results = {name: other.result for name, other in aligned.items()}
    chart.show(charts, charts.bars(results), "alignment", drawn=results)
    panels.note(charts.PAPER)
    if experiment != aligned["asked"].experiment:
        related.link(aligned["asked"].experiment, "Open the DANN aligned with those asked")


def _aligned(result: Result, experiment: Experiment) -> dict[str, related.Related]:
    """Return a result of the DANN for each alignment that has one, that of the page before others."""

    def fits(other: Experiment) -> bool:
        return _is_dann(other) and settings.differ_only(experiment, other, *_FIELDS)

    this = [related.Related(experiment, result)] if _is_dann(experiment) else []
    by_alignment: dict[str, related.Related] = {}
    for one in (*this, *related.find(experiment, fits)[0]):
        by_alignment.setdefault(one.experiment.attack.as_dict()["alignment"], one)
    return by_alignment


def _is_dann(experiment: Experiment) -> bool:
    return bool(experiment.attack.as_dict()["classifier"] == "dann")
