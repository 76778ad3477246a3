"""Reports: evidence from stored results as HTML, Markdown and JSON, which can be verified; and conditions on results.

``build`` gathers the evidence as plain values, ``rendered`` writes it as one sealed file, ``verify`` builds the
evidence again where the results are stored, ``check`` tells whether a condition such as ``auc.low > 0.55`` holds, and
``reasons`` runs an experiment and says which do.
"""

from core.report.condition import check
from core.report.evidence import build
from core.report.files import rendered
from core.report.gate import reasons
from core.report.verification import verify

__all__ = ["build", "check", "reasons", "rendered", "verify"]
