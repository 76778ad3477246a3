"""The audit of a model on its page: the one that ships, and that of a visitor's own word vectors."""

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits import model_plan
from core.audits.model_verdict import verdict
from core.catalog import model_audit
from core.errors import InvalidDocuments, InvalidSpec
from core.jobs import Jobs
from core.result import Result
from core.runtime.store import Store
from dashboard.kit.inputs import allowed, uploads
from dashboard.topics.model_audit.figures import areas, documents
from tests.dashboard.kept_results import words
from tests.games.audit.marked import table, trained


def opened(app: AppTest, **query: str) -> AppTest:
    app.switch_page("views/model_audit.py")
    for name, value in query.items():
        app.query_params[f"view.{name}"] = value
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def shipped() -> Result:
    result = Result.load(Store(), model_audit.shipped().key)
    assert result is not None
    return result


def test_the_audit_that_ships_is_shown_with_the_blind_baseline_first(app: AppTest, shipped: Result) -> None:
    said = verdict(shipped.estimates)
    shown = words(opened(app))
    order = [text for element in app.main if isinstance(text := getattr(element, "value", None), str)]
    blind, answer = (
        next(at for at, text in enumerate(order) if some in text) for some in ("Blind baseline", "gives away")
    )
    assert blind < answer
    assert all(sentence[:60] in shown for sentence in said.lines)
    assert app.metric[0].label == "AUC of the texts alone"


def test_ones_own_model_is_looked_at_queued_and_shown_once_audited(
    app: AppTest, home: Path, tmp_path: Path, idle: list[object], shipped: Result
) -> None:
    store, rows = Store(), table(["in", "out"] * 60)
    vectors = trained(rows[rows["member"] == "in"]["text"].tolist(), tmp_path / "mine.txt").read_bytes()
    model = uploads.save_one(store, "mine.txt", vectors, "model")
    marked = uploads.save_one(store, "mine.csv", rows.to_csv(index=False).encode(), "marked")
    shown = words(opened(app, model=model, marked=marked))
    assert "120 of 120 rows read as documents: 60 in, 60 out" in shown
    assert "Profile smoke: 30 targets in and 30 out" in shown
    assert "gives away" not in shown, "the shipped verdict is not shown for one's own"
    app.button(key="run.start").click().run()
    (job,) = Jobs(store).all()
    found = {name: uploads.locate(store, place, name) for name, place in (("model", model), ("marked", marked))}
    audit = model_plan.experiment({"source": found["model"]}, {"source": found["marked"]}, model_plan.PROFILES["smoke"])
    assert job.key == audit.key
    shipped.save(store, audit.key)
    assert "gives away" in words(opened(app, model=model, marked=marked))


def test_a_pickle_is_refused_on_the_page_with_the_lines_that_save_it(app: AppTest, home: Path) -> None:
    store = Store()
    marked = uploads.save_one(store, "mine.csv", table(["in", "out"] * 60).to_csv(index=False).encode(), "marked")
    model = uploads.save_one(store, "own.bin", b"\x80\x04\x95 gensim.models.word2vec\x94\x8c\x08Word2Vec", "model")
    opened(app, model=model, marked=marked)
    assert "No pickle is ever loaded here" in app.main.error[0].value.replace("\\", "")
    assert "save_word2vec_format('own.w2v', binary=True)" in app.main.code[0].value


def test_a_path_of_the_server_is_no_upload(home: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("of 1 2 3\n")
    audit = model_plan.experiment(
        {"source": str(tmp_path / "secret.txt")}, {"source": str(tmp_path / "secret.txt")}, model_plan.PROFILES["smoke"]
    )
    for part in (audit.model, audit.dataset):
        with pytest.raises(InvalidSpec, match="uploaded here"):
            allowed.check(part, Store())
    with pytest.raises(InvalidSpec, match="uploaded here"):
        uploads.locate(Store(), "../../secret.txt", "model")
    with pytest.raises(InvalidDocuments, match="one of these kinds"):
        uploads.save_one(Store(), "own.pkl", b"", "model")


def test_the_figures_follow_from_their_tables(shipped: Result) -> None:
    shown = areas.table(shipped.tables["figures"])
    assert shown["variant"].tolist()[:2] == ["model_free", "word_pair_audit"]
    text = areas.sentence(shown)
    assert "Texts alone" in text and "Above chance: " in text
    assert "Texts alone" not in text.partition("Above chance")[2]
    assert areas.sentence(shown.head(0)) == "No adversary has answered."
    found = documents.table(shipped.tables["scores"], shipped.tables["targets"])
    assert found["score"].is_monotonic_decreasing and len(found) == 50
    assert isinstance(found, pd.DataFrame) and found["stricter"].between(0, 1).all()
