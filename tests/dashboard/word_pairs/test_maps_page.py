"""Maps by UMAP, which the command line leaves to pages: offered where they are lacking, and queued when asked for."""

import pytest

from core.jobs import Jobs
from core.runtime.store import Store
from dashboard.kit import tabs
from tests.dashboard import samples
from tests.dashboard.kept_results import Open, keep

LABEL = "Lay out by UMAP, too"


@pytest.mark.usefixtures("idle")
def test_umap_is_offered_where_it_is_lacking_and_queued(open_result: Open) -> None:
    result = samples.make()
    app = open_result(result, tab=tabs.HOW)
    assert not app.exception and LABEL not in [button.label for button in app.button]
    points = result.tables["word_map"]
    result.tables["word_map"] = points[points["method"] == "pca"].reset_index(drop=True)
    app = open_result(result, tab=tabs.HOW)
    assert not app.exception
    (button,) = [button for button in app.button if button.label == LABEL]
    button.click().run()
    assert not app.exception and LABEL not in [button.label for button in app.button]
    (job,) = Jobs(Store()).all()
    assert job.key == keep(result).key and job.active
    assert [button.label for button in app.button if button.label == "Cancel"], (
        "its progress stands in place of the button"
    )
