"""A further attack on single examples has a page's parts without any text of the dashboard's own."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.result import Result
from core.runtime.store import Store
from tests.attack_files import Install
from tests.dashboard.kept_results import figures
from tests.dashboard.windows import samples

SOURCE = """
from core.attacks.window_similarity import WindowSimilarity
from core.games.example_membership.contract import Wording


class LetterRuns(WindowSimilarity):
    title = "Letter runs"
    wording = Wording({named})
"""


@pytest.fixture(params=["", 'one="letter run"'])
def third(request: pytest.FixtureRequest, install: Install) -> str:
    """Put the file of a third attack beside the others, which names its examples or leaves it at that."""
    name = f"letter_runs_{'named' if request.param else 'plain'}"
    install(name, SOURCE.format(named=request.param))
    return name


def page(key: str) -> None:
    """Draw all that pages of such attacks have in common."""
    from core.result import Result
    from core.runtime.store import Store
    from dashboard.kit.examples import membership, shown_examples

    result = Result.load(Store(), key)
    assert result is not None
    membership.show(result)
    membership.by_group(result)
    membership.roc(result)
    membership.statistic(result)
    shown_examples.show(result, None, lambda experiment, shown: {}, "No text is here.")  # type: ignore[arg-type]


def test_a_third_attack_on_examples_is_drawn(third: str, home: Path) -> None:
    made: Result = samples.windows(bands=("short", "long"))
    result = replace(made, experiment={**made.experiment, "attack": {**made.experiment["attack"], "part": third}})
    result.save(Store(), "third")
    app = AppTest.from_function(page, kwargs={"key": "third"}).run()
    assert not app.exception
    one = "letter run" if third.endswith("named") else "example"
    assert [header.value for header in app.header] == [f"Membership of {one}s", f"Some {one}s"]
    assert figures(app) == sorted(
        ["densities", "groups", "roc", "letter runs" if third.endswith("named") else "examples"]
    )
