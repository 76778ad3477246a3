"""The page about recitation: texts that may be shown, others' texts hidden, and planted secrets beside them."""

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.topics.language_models import document
from tests.dashboard.kept_results import Open, everything, everywhere, words
from tests.dashboard.language_models import recited_samples as samples


def test_the_page_shows_texts_that_may_be_shown(open_result: Open) -> None:
    app = open_result(samples.made(), unfolded=True)
    assert document.WITHHELD not in words(app)
    seen = everything(app)
    assert {"recited", "draws"} <= seen.figures.keys()
    assert "never shown: it knows these from the language" in seen.said


def test_other_peoples_texts_are_not_shown(open_result: Open) -> None:
    app = open_result(samples.made(dataset="enron_mailboxes"))
    assert document.WITHHELD in words(app) and "Known: the last" not in words(app)
    assert not samples.made(dataset="enron_mailboxes").tables["passages"]["continuation"].any()


def test_planted_secrets_share_the_page(open_result: Open) -> None:
    shipped = Result.load(Store(), Experiment.preset("secret_sharer", "demo").key)
    assert shipped is not None
    app = open_result(shipped, unfolded=True)
    assert "Beam search" in words(app) and "exposure" in everywhere(app).lower()
