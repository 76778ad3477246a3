"""Made-up results in a store, and what their pages say."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store

Open = Callable[..., AppTest]
"""Opens the page of a result, beside others that are promised."""


def keep(result: Result) -> Experiment:
    """Store a result and return its experiment."""
    experiment = Experiment.parse(result.experiment)
    result.save(Store(), experiment.key)
    return experiment


def words(app: AppTest) -> str:
    """Return all that a page says, without the signs that keep text from being read as Markdown."""
    kinds = ("title", "header", "subheader", "markdown", "caption")
    return "\n".join(str(element.value) for kind in kinds for element in getattr(app.main, kind)).replace("\\", "")
