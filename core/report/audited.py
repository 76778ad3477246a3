"""Reads the estimates of a model audit for a report: its main figure, and whether they conclude anything."""

from collections.abc import Mapping

from core.audits import model_verdict
from core.audits.blind_words import blind_reads
from core.audits.model_verdict import MEASURE, STATISTICS, statistic_name
from core.experiment import Experiment
from core.games.audit import Audit
from core.games.stored_vectors import may_be_moved
from core.games.summaries import summarised_by
from core.models.unknown_encoder import UnknownEncoder
from core.result import Result, headline
from core.statistics.wording.naming import adversary_name, estimate_name, lowered
from core.statistics.wording.variants import BLIND as BLIND_BASELINE

_GAMES = ("audit", "answers", "calibrated_audit")
_MAIN = Audit.main
"""The figure that the verdict of an audit of one model judges."""
BLIND = f"{_MAIN}_{BLIND_BASELINE}"
"""The same figure of the blind baseline, which asks no model."""
_BASELINE = lowered(adversary_name(BLIND_BASELINE))


def is_audit(result: Result) -> bool:
    """Tell whether a result is of the audit of one model."""
    return result.experiment.get("game", {}).get("part") in _GAMES


def main_figures(result: Result) -> dict[int, str]:
    """Return the names of the main figures by target size: of an audit what its verdict judges, else the headline."""
    return summarised_by(result.estimates, result.experiment.get("game", {}))


def conclusive(result: Result) -> bool | None:
    """Tell whether the marks allow a conclusion about the audited model; None where no model is audited.

    Where the blind baseline tells ins from outs, or the model is its own base, no figure says anything about it.
    """
    blind = result.estimates.get(BLIND)
    return None if blind is None or not is_audit(result) else not (blind.above_chance() or is_its_base(result))


def unsettled(experiments: Mapping[str, Experiment], results: Mapping[str, Result]) -> set[str]:
    """Return the keys of a report's results on stored vectors whose texts may be in another order.

    Another result of the report, by a known encoder, settles the order. Nothing follows from those that read nothing.
    """
    ordered = [
        experiment.dataset for experiment in experiments.values() if not isinstance(experiment.model, UnknownEncoder)
    ]
    return {
        key
        for key, experiment in experiments.items()
        if is_unchecked(results[key]) and experiment.dataset not in ordered
    }


def is_unchecked(result: Result) -> bool:
    """Tell whether the texts of a result alone may be in another order than its vectors."""
    return may_be_moved(result.experiment.get("dataset", {}), result.experiment.get("model", {}))


def leaks(result: Result) -> bool:
    """Tell whether a main figure of a result lies above chance."""
    return any(result.estimates[name].above_chance() for name in headline(result.estimates).values())


def is_its_base(result: Result) -> bool:
    """Tell whether a language model was audited that does not differ from its base."""
    return is_audit(result) and _MAIN in result.estimates and model_verdict.is_its_base(result.estimates)


def statistics(result: Result) -> dict[str, dict[str, str]]:
    """Return the names of the figures beside the attack's own, by statistic in words and by measure.

    The strongest knowledge comes first, and the blind baseline last; there is none where no model is audited.
    """
    if not is_audit(result):
        return {}
    by_statistic: dict[str, dict[str, str]] = {}
    for name in result.estimates:
        if match := MEASURE.fullmatch(name):
            by_statistic.setdefault(match[2], {})[match[1]] = name
    known = [*STATISTICS, *sorted(by_statistic.keys() - {*STATISTICS, BLIND_BASELINE}), BLIND_BASELINE]
    return {_titled(statistic, result): by_statistic[statistic] for statistic in known if statistic in by_statistic}


def labelled(name: str, result: Result) -> str:
    """Return the name of an estimate in words, with what the blind baseline reads where that is more than texts."""
    game = result.experiment.get("game", {}).get("part", "")
    return estimate_name(name, game).replace(_BASELINE, baseline(result))


def reads(result: Result) -> str:
    """Return what the adversary reads that asks no model, in words: in an audit, all that it is given."""
    return blind_reads(result.experiment) if is_audit(result) else "texts"


def baseline(result: Result) -> str:
    """Return the name of the adversary that asks no model, and what it reads where that is more than texts."""
    read = reads(result)
    return _BASELINE if read == "texts" else f"{_BASELINE} ({read})"


def _titled(statistic: str, result: Result) -> str:
    if statistic == BLIND_BASELINE:
        return baseline(result)
    return statistic_name(statistic)
