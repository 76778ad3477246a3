"""What an audit of vectors has beyond one report is named."""

from core.audits.plan import Step
from core.commands.vector_audit import _evidence
from core.experiment import Experiment
from core.report.evidence import MOST


def test_results_that_do_not_fit_one_report_are_named_with_what_they_are() -> None:
    step = Step("frontier", "PCA to a quarter", Experiment.preset("multilabel_inversion", "demo"))
    steps = {f"{number:016x}": step for number in range(MOST + 1)}
    one, further, page = _evidence(steps)
    assert f"{MOST - 1:016x} -o report.html" in one and f"{MOST:016x}" not in one
    assert further.endswith(f"{MOST:016x} (PCA to a quarter).")
    assert "/runs" in page
    assert len(list(_evidence({"a" * 16: step}))) == 2
