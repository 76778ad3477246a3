"""Made-up results in a store, and what their pages say."""

from collections.abc import Callable, Iterator

from streamlit.testing.v1 import AppTest

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import tabs

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


def through(app: AppTest) -> Iterator[AppTest]:
    """Open each tab of a page in turn."""
    for name in [tab.label for tab in app.tabs] or [tabs.ANSWER]:
        yield in_tab(app, name)


def figures(app: AppTest) -> set[str]:
    """Return the names of the figures of a page, in all of its tabs."""
    charts = [chart for each in through(app) for chart in each.main.get("plotly_chart")]
    return {chart.proto.id.split("-", 2)[2].removesuffix(".figure") for chart in charts}


def in_tab(app: AppTest, name: str) -> AppTest:
    """Open a tab of a page, and all that is folded away in it."""
    app.session_state[tabs.KEY] = app.query_params[tabs.KEY] = name
    return unfolded(app.run())


def unfolded(app: AppTest) -> AppTest:
    """Unfold all that is folded away on a page."""
    for fold in app.main.expander:
        app.session_state[f"folded/{fold.label}"] = True
    app.run()
    assert not app.exception
    return app


def everywhere(app: AppTest) -> str:
    """Return all that a page says in all of its tabs."""
    return "\n".join(map(words, through(app)))
