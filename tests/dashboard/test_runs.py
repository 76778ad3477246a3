"""The page Runs says what it lists, and a run of the command line opens where its result is read."""

from pathlib import Path
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from core.audits import model_plan, plan
from core.audits.profiles import PROFILES
from core.datasets.embeddings import Embeddings
from core.experiment import Experiment
from core.jobs import Jobs
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.dashboard.samples import PROVENANCE
from tests.dashboard.test_pages import words


def test_without_a_run_it_leads_to_stored_results_and_audits_of_the_command_line_open(app: AppTest, home: Path) -> None:
    app.switch_page("views/runs.py").run()
    (notice,) = app.main.info
    assert "here or on the command line with the same TELLTALE_HOME" in notice.value
    assert [link.label for link in app.main.get("page_link")] == ["To the results that are stored"]
    audit = model_plan.experiment(
        "word_vectors", {"source": "mine.txt"}, {"source": "marked.csv"}, model_plan.PROFILES["smoke"]
    )
    step = plan.steps(Embeddings(source="mine.npy"), None, PROFILES["smoke"], "minilm")[0].experiment
    for when, listed in enumerate((audit, step)):
        Jobs(Store()).note(listed.as_dict(), listed.key, when)
    app.run()
    assert not app.exception and not app.main.info
    opened = [parse_qs(link.proto.query_string) for link in app.main.get("page_link")]
    attack = step.attack.part_name()
    assert opened == [{"attack": [attack], "view.result": [step.key]}, {"view.result": [audit.key]}], "each by its key"


def test_an_audit_of_owners_is_called_so(app: AppTest, home: Path) -> None:
    documents = {"source": "marked.csv", "owner_column": "who"}
    audit = model_plan.experiment("word_vectors", {"source": "mine.txt"}, documents, model_plan.PROFILES["smoke"])
    estimates = {"auc": Estimate(value=0.8, low=0.7, high=0.9, chance=0.5, unit="area", members=20, nonmembers=20)}
    Result(audit.as_dict(), estimates, PROVENANCE, {}).save(Store(), audit.key)
    Jobs(Store()).note(audit.as_dict(), audit.key, 1)
    app.switch_page("views/runs.py").run()
    assert "Word pair audit by owner against Your own word vectors" in words(app)
    assert "the documents of an owner, the adversary tells whether it was trained on them" in words(app)


def test_a_run_is_called_by_its_file_and_its_defense(app: AppTest, home: Path) -> None:
    steps = plan.steps(Embeddings(source="/shelf/mine.npy"), None, PROFILES["smoke"], "minilm")
    turned = next(step.experiment for step in steps if step.title == "secret rotation")
    Jobs(Store()).note(turned.as_dict(), turned.key, 1)
    app.switch_page("views/runs.py").run()
    assert "on Your own vectors: mine.npy behind secret rotation (" in words(app).replace("\\", "")
    assert "/shelf" not in words(app)


def test_the_runs_of_one_audit_of_vectors_stand_together(app: AppTest, home: Path) -> None:
    for number, source in enumerate(("/shelf/mine.npy", "/shelf/mine.npy", "/shelf/other.npy")):
        step = plan.steps(Embeddings(source=source), None, PROFILES["smoke"], "minilm")[number].experiment
        Jobs(Store()).note(step.as_dict(), step.key, number)
    alone = Experiment.preset("word_pairs", "demo")
    Jobs(Store()).note(alone.as_dict(), alone.key, 9)
    app.switch_page("views/runs.py").run()
    (group,) = app.main.expander
    assert group.label.replace("\\", "") == "**2 runs on Your own vectors: mine.npy**: 2 done"
    assert len(group.get("page_link")) == 2
    assert len(app.main.get("page_link")) == 4, "those on other vectors, and of other attacks, stand alone"
