"""Made-up results in a store, and what their pages say."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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
    return "\n".join(str(element.value) for element in elements(app, kinds)).replace("\\", "")


def elements(app: AppTest, kinds: Sequence[str]) -> list[Any]:
    """Return the elements of some kinds on a page, kind by kind; the page is walked once, not once for each kind."""
    return sorted((each for each in app.main if each.type in kinds), key=lambda each: kinds.index(each.type))


@dataclass(frozen=True)
class Seen:
    """What a page shows in all of its tabs.

    Attributes:
        said: Its texts, as `words` returns them.
        tabs: The headers of each tab, in order.
        figures: How often each of its figures is drawn, by name.
    """

    said: str
    tabs: dict[str, list[str]]
    figures: Counter[str]

    @property
    def headers(self) -> list[str]:
        """The headers of all tabs, in order."""
        return [header for headers in self.tabs.values() for header in headers]


def everything(app: AppTest) -> Seen:
    """Open each tab of a page in turn, and return all that it shows; a tab that is open and unfolded stays as it is."""
    page_texts, headers, drawn = [], {}, Counter[str]()
    keys, state = [f"folded/{fold.label}" for fold in app.main.expander], app.session_state
    unfolded = all(key in state and state[key] for key in keys)
    shown = app.query_params.get(tabs.KEY, tabs.ANSWER) if unfolded else ""
    for name in [tab.label for tab in app.tabs] or [tabs.ANSWER]:
        if name != shown:
            in_tab(app, name)
        page_texts.append(words(app))
        headers[name] = [header.value for header in app.main.header]
        drawn.update(figures(app))
    return Seen("\n".join(page_texts), headers, drawn)


def figures(app: AppTest) -> list[str]:
    """Return the names of the figures that a page draws, sorted."""
    keys = (chart.proto.id for chart in app.main.get("plotly_chart"))
    return sorted(key.split("-", 2)[2].removesuffix(".figure") for key in keys)


def everywhere(app: AppTest) -> str:
    """Return all that a page says in all of its tabs."""
    return everything(app).said


def in_tab(app: AppTest, name: str) -> AppTest:
    """Open a tab of a page, and all that is folded away in it."""
    app.session_state[tabs.KEY] = app.query_params[tabs.KEY] = name
    unfold(app)
    return app


def unfold(app: AppTest) -> None:
    """Run a page with all unfolded that is folded away on it.

    What was seen to be folded away on any page is unfolded from then on, which saves a second look.
    """
    for label in _folded:
        app.session_state[f"folded/{label}"] = True
    app.run()
    assert not app.exception, app.query_params
    if fresh := {fold.label for fold in app.main.expander} - _folded:
        _folded.update(fresh)
        unfold(app)


_folded: set[str] = set()
