"""What an audit of vectors has beyond one report is named."""

from dataclasses import replace

from core.audits.plan import Step
from core.commands.vector_audit import _evidence, _ordered
from core.experiment import Experiment
from core.report.evidence import MOST


def test_results_that_do_not_fit_one_report_are_named_with_what_they_are() -> None:
    steps = _formats(MOST + 1)
    one, further, page = _evidence(steps, list(steps))
    assert f"{MOST - 1:016x} -o report.html" in one and f"{MOST:016x}" not in one
    assert further.endswith(f"{MOST:016x} (PCA to a quarter).")
    assert "/runs" in page
    assert len(list(_evidence(_formats(1), ["0" * 16]))) == 2


def test_what_the_findings_name_comes_into_the_report_first() -> None:
    steps = _formats(MOST) | {"f" * 16: replace(_formats(1)["0" * 16], title="Laplace noise")}
    one, further, _ = _evidence(steps, _ordered(steps, "Of the formats, Laplace noise leaks least."))
    assert f"report {'f' * 16} " in one
    assert f"{MOST - 1:016x} (PCA to a quarter)" in further


def _formats(count: int) -> dict[str, Step]:
    step = Step("frontier", "PCA to a quarter", Experiment.preset("multilabel_inversion", "demo"))
    return {f"{number:016x}": step for number in range(count)}
