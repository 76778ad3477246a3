"""Canaries beside the paper, and behind defenses, as their pages show them."""

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import related
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.kept_results import figures, keep, unfold, words


def beside_the_paper(key: str) -> None:
    """Draw the section below a stored result."""
    from core.experiment import Experiment
    from dashboard.kit import stored_results
    from dashboard.topics.canaries import paper

    result = stored_results.load(key)
    assert result is not None
    paper.show(result, Experiment.parse(result.experiment))


@pytest.fixture
def promise(home, monkeypatch):
    """Let results be here, and others be promised; nothing else is."""
    links = []
    monkeypatch.setattr(related, "link", lambda experiment, label: links.append(label))

    def promised(*others: Result | Experiment) -> list[str]:
        experiments = [other if isinstance(other, Experiment) else keep(other) for other in others]
        entries = tuple(catalog.Entry(f"number {at}", "Other", "", one) for at, one in enumerate(experiments))
        monkeypatch.setattr(catalog, "entries", lambda: entries)
        return links

    return promised


@pytest.fixture
def below():
    """Draws the paper below a result."""

    def drawn(result: Result) -> AppTest:
        page = AppTest.from_function(beside_the_paper, args=(keep(result).key,)).run()
        assert not page.exception
        return page

    return drawn


def test_the_paper_stands_beside_what_is_here(promise, below):
    longer = extracted(length=6)
    links = promise(longer, Experiment.parse(extracted(length=8).experiment))
    page = below(extracted())
    page_text = words(page)
    assert figures(page) == ["paper-2-call", "paper-2-color", "paper-2-pin"]
    assert "The paper’s schedule, here, compared with 6 values of the paper:" in page_text
    assert "ours of 2 for n = 4 and of 2 for n = 6, chosen" in page_text
    assert "has no counterpart" not in page_text
    assert links == ["Open n = 4 on Snips", "Open n = 6 on Snips", "Not computed yet: n = 8 on Snips"]


def test_another_part_of_the_paper_is_looked_at(promise, below):
    promise(extracted(length=6), extracted(dataset="atis"))
    page = below(extracted(repetitions=(1, 10, 100)))
    parts = {"table_5": "accuracy", "table_4": "hamming", "figure_2": "accuracy", "figure_3": "hamming"}
    for part, measure in parts.items():
        page.main.get("button_group")[1].set_value(measure)
        page.main.get("button_group")[0].set_value(part).run()
        assert not page.exception
        name = f"paper-{part.removeprefix('table_')}"
        assert figures(page) == [f"{name}-call", f"{name}-color", f"{name}-pin"]
        assert len(page.main.get("button_group")) == 2 + (part == "figure_3")


def test_other_secrets_have_no_place_in_the_paper(promise, below):
    promise(extracted())
    page_text = words(below(extracted(length=3)))
    assert "has no counterpart in the paper and is not drawn here." in page_text
    assert "compared with 3 values of the paper" in page_text, "what is promised is drawn all the same"
    assert "has no counterpart" in words(below(extracted(defenses=("dropout",))))


def test_defenses_stand_on_their_page(promise, app):
    links = promise(
        extracted(repetitions=(1, 10, 100)),
        extracted(defenses=("dropout",)),
        Experiment.parse(extracted(defenses=("early_stopping",)).experiment),
    )
    app.switch_page("views/defenses.py")
    app.query_params["view.changes"] = "Training options"
    app.run()
    assert not app.exception
    page_text = words(app)
    assert "the paper’s gradient attack gets" in page_text
    unfold(app)
    assert app.main.dataframe[-1].value["defense"].tolist() == ["No defense", "Dropout (D)"]
    assert "Open: No defense" in links and "Not computed yet: Early stopping (ES)" in links


def test_without_a_promised_defense_nothing_is_drawn(promise, app):
    promise(extracted())
    app.switch_page("views/defenses.py")
    app.query_params["view.changes"] = "Training options"
    app.run()
    assert not app.exception and "gradient attack" not in words(app)
