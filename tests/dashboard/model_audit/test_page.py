"""The audit of a model on its page: the one that ships, and that of a visitor's own word vectors."""

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits import answer_plan, language_model_plan, model_plan
from core.audits.model_verdict import verdict
from core.catalog import model_audit
from core.errors import InvalidDocuments, InvalidSpec
from core.jobs import Jobs
from core.models.own_language_model import OwnLanguageModel
from core.result import Estimate, Result
from core.runtime.store import Store
from dashboard.kit.figures import theme
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
    judged = verdict(shipped.estimates)
    shown = words(opened(app))
    order = [text for element in app.main if isinstance(text := getattr(element, "value", None), str)]
    blind, answer = (
        next(at for at, text in enumerate(order) if some in text) for some in ("Blind baseline", "gives away")
    )
    assert blind < answer
    assert all(sentence[:60] in shown for sentence in judged.lines)
    assert "minimum count 6, mode skip gram" in shown and "minimum_count" not in shown, "no names of fields"
    assert app.metric[0].label == "AUC, blind baseline"


def test_a_link_to_an_audit_of_one_kind_of_model_leaves_the_choice_of_the_other(app: AppTest, home: Path) -> None:
    app.query_params["attack"] = "language_model_audit"
    opened(app)
    kind = app.main.segmented_control(key="view.shown")
    assert kind.value == "language_model_audit"
    assert "a small GPT-2, fine-tuned" in words(app)
    kind.set_value("word_pair_audit").run()
    assert "gensim’s word vectors" in words(app)
    assert "attack" not in app.query_params


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
    assert "not known yet" not in shown
    assert "gives away" not in shown, "the shipped verdict is not shown for one's own"
    app.button(key="run.start").click().run()
    (job,) = Jobs(store).all()
    paths = {name: uploads.locate(store, upload, name) for name, upload in (("model", model), ("marked", marked))}
    audit = model_plan.experiment(
        "word_vectors", {"source": paths["model"]}, {"source": paths["marked"]}, model_plan.PROFILES["smoke"]
    )
    assert job.key == audit.key
    shipped.save(store, audit.key)
    assert "gives away" in words(opened(app, model=model, marked=marked))
    app.selectbox(key="view.text_column").set_value("text").run()
    app.number_input(key="view.epochs").set_value(3).run()
    app.button(key="audit.back").click().run()
    assert not app.exception and "comes with Telltale" in words(app)


def test_near_copies_are_named_and_left_out_by_a_choice_of_the_form(app: AppTest, home: Path, tmp_path: Path) -> None:
    store, rows = Store(), table(["in", "out", "in"] * 60)
    for row in range(1, 20, 3):
        rows.loc[row, "text"] = f"as said {rows.loc[row - 1, 'text']}"
    vectors = trained(rows[rows["member"] == "in"]["text"].tolist(), tmp_path / "mine.txt").read_bytes()
    model = uploads.save_one(store, "mine.txt", vectors, "model")
    marked = uploads.save_one(store, "mine.csv", rows.to_csv(index=False).encode(), "marked")
    shown = words(opened(app, model=model, marked=marked)).replace("\\", "")
    assert "7 share at least half" in shown and "Set “Near copies” to 'left out'" in shown
    app.segmented_control(key="view.near_copies").set_value("left out").run()
    shown = words(app)
    assert "7 as near copies of others in" in shown and "share at least half" not in shown
    asked = uploads.save_one(store, "mine.csv", rows.to_csv(index=False).encode(), "asked")
    shown = words(opened(app, asked=asked, asked_kind="A language model", asked_near_copies="left out"))
    assert "7 as near copies of others in" in shown


def test_the_columns_of_a_table_are_found_or_chosen(app: AppTest, home: Path, tmp_path: Path) -> None:
    store, rows = Store(), table(["in", "out"] * 60)
    vectors = trained(rows[rows["member"] == "in"]["text"].tolist(), tmp_path / "mine.txt").read_bytes()
    model = uploads.save_one(store, "mine.txt", vectors, "model")
    renamed = (
        rows.rename(columns={"text": "body", "member": "Is_Member"}).assign(who="Ann").to_csv(index=False).encode()
    )
    opened(app, model=model, marked=uploads.save_one(store, "mine.csv", renamed, "marked"))
    text, member, owner = (app.selectbox(key=f"view.{name}_column") for name in ("text", "member", "owner"))
    assert text.options == member.options == ["body", "Is_Member", "who"] and owner.options[0] == "none"
    assert (text.value, member.value, owner.value) == ("body", "Is_Member", "")
    assert "120 of 120 rows read as documents: 60 in, 60 out" in words(app)
    run = app.main.expander[0].button(key="run.start")
    assert run.label == "Run", "the button stands below the plan, in the form"
    unknown = rows.rename(columns={"text": "letter"}).to_csv(index=False).encode()
    opened(app, marked=uploads.save_one(store, "mine.csv", unknown, "marked"))
    assert app.selectbox(key="view.text_column").value is None
    assert "Set “Column of the texts” to the column that is meant" in app.main.error[0].value.replace("\\", "")
    app.selectbox(key="view.text_column").set_value("letter").run()
    assert not app.main.error and "60 in, 60 out" in words(app)


def test_a_model_without_documents_is_read_and_the_documents_are_asked_for(
    app: AppTest, home: Path, tmp_path: Path
) -> None:
    store = Store()
    pickled = b"\x80\x04\x95 gensim.models.word2vec\x94\x8c\x08Word2Vec"
    opened(app, model=uploads.save_one(store, "own.model", pickled, "model"))
    assert "No pickle is ever loaded here" in app.main.error[0].value.replace("\\", "")
    assert "save_word2vec_format" in app.main.code[0].value
    vectors = trained(["the sea and the ship of the sea"] * 9, tmp_path / "mine.txt").read_bytes()
    opened(app, model=uploads.save_one(store, "mine.txt", vectors, "model"))
    assert not app.main.error
    assert "Upload “Their documents, marked in or out”, too." in [info.value for info in app.main.info]


def test_a_classifier_is_named_where_its_command_stands(app: AppTest, home: Path) -> None:
    labels = [expander.label for expander in opened(app).main.expander]
    assert "Audit your own language model, encoder, translator or classifier" in labels


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
        "word_vectors",
        {"source": str(tmp_path / "secret.txt")},
        {"source": str(tmp_path / "secret.txt")},
        model_plan.PROFILES["smoke"],
    )
    folder = OwnLanguageModel(source=str(tmp_path), base=str(tmp_path))
    for part in (audit.model, audit.dataset, folder, folder.replace(source="example")):
        with pytest.raises(InvalidSpec, match="uploaded here"):
            allowed.check(part, Store())
    with pytest.raises(InvalidSpec, match="uploaded here"):
        uploads.locate(Store(), "../../secret.txt", "model")
    with pytest.raises(InvalidDocuments, match="one of these kinds"):
        uploads.save_one(Store(), "own.pkl", b"", "model")


def test_an_audit_of_the_command_line_opens_by_its_key_without_paths_or_names(
    app: AppTest, home: Path, tmp_path: Path, shipped: Result
) -> None:
    audit = model_plan.experiment(
        "language_model",
        {"source": str(tmp_path / "mine"), "base": str(tmp_path / "base")},
        {"source": str(tmp_path / "marked.csv"), "owner_column": "customer"},
        language_model_plan.PROFILES["smoke"],
    )
    tables = {name: of_a_language_model(table) for name, table in shipped.tables.items()}
    tables["targets"] = tables["targets"].assign(label="Ada Byron")
    figures = {name.replace("l2_distance", "rmia"): figure for name, figure in shipped.estimates.items()}
    figures["cut_documents"] = Estimate.queries(0, "Cut.").model_copy(update={"decisions": 400})
    Result(audit.as_dict(), figures, shipped.provenance, tables).save(Store(), audit.key)
    shown = words(opened(app, result=audit.key))
    assert "gives away" in shown and "RMIA" in shown and "an audit that is stored here" in shown
    frames = "".join(frame.value.to_string() for frame in app.main.dataframe)
    assert str(tmp_path) not in shown + frames and "Ada Byron" not in shown + frames and "customer" not in shown
    app.button(key="audit.shipped").click().run()
    assert "view.result" not in app.query_params and "gensim" in words(app)


def test_an_audit_by_answers_opens_by_its_key_with_its_own_limits(
    app: AppTest, home: Path, tmp_path: Path, shipped: Result
) -> None:
    documents = {"source": str(tmp_path / "marked.csv"), "label_column": "topic"}
    audit = answer_plan.experiment(
        "classifier", documents, model_plan.PROFILES["smoke"], answers=str(tmp_path / "answers.jsonl")
    )
    renamed = {"word_pair_audit": "classifier_audit", "l2_distance": "offline_ratio", "uncalibrated": "confidence"}
    tables = {
        name: table.assign(variant=table["variant"].replace(renamed)) if "variant" in table else table
        for name, table in shipped.tables.items()
    }
    figures = {**shipped.estimates, "own_documents": Estimate.queries(700, "Own.")}
    Result(audit.as_dict(), figures, shipped.provenance, tables).save(Store(), audit.key)
    shown = words(opened(app, result=audit.key))
    assert "gives away" in shown and "trained logistic regressions of words" in shown and "Confidence alone" in shown
    assert str(tmp_path) not in shown


def of_a_language_model(table: pd.DataFrame) -> pd.DataFrame:
    renamed = {"word_pair_audit": "language_model_audit", "l2_distance": "rmia", "uncalibrated": "loss"}
    return table.assign(variant=table["variant"].replace(renamed)) if "variant" in table else table


def test_a_key_without_an_audit_is_said(app: AppTest, home: Path) -> None:
    for key in ("0123456789abcdef", "../../etc"):
        assert "No stored audit has the key" in opened(app, result=key).main.warning[0].value


def test_the_figures_follow_from_their_tables(shipped: Result) -> None:
    shown = areas.table(shipped.tables["figures"], "likelihood_ratio")
    assert shown["variant"].tolist()[:2] == ["model_free", "word_pair_audit"]
    text = areas.sentence(shown)
    corrected = "After correction for several tests, "
    assert "Blind baseline: texts alone" in text and f". {corrected}still above chance: Word pairs" in text
    assert "Blind baseline" not in text.partition("above chance")[2]
    barely = shown.assign(low=shown["low"].mask(shown["variant"] == "l2_distance", 0.501))
    text = areas.sentence(barely).partition(corrected)[2]
    assert "L2 distance" not in text and "without calibration" in text, "it is one of several"
    only = areas.sentence(barely[barely["variant"].isin(["model_free", "l2_distance"])])
    assert only.endswith(f". {corrected}none is above chance.")
    uncorrected = shown[shown["variant"].isin(["model_free", "word_pair_audit"])]
    assert areas.sentence(uncorrected).endswith(". Above chance: Word pairs, calibrated (the attack).")
    assert areas.sentence(uncorrected.assign(low=0.4)).endswith(". None is above chance.")
    above_chance = shown.assign(low=shown["low"].mask(shown["variant"] == "word_pair_audit", 0.501))
    assert "Word pairs, calibrated (the attack)" in areas.sentence(above_chance).partition(corrected)[2]
    drawn = areas.figure(shown).to_dict()["data"]
    colours = {trace["name"]: trace["marker"]["color"] for trace in drawn if trace.get("mode") == "markers"}
    assert colours["Word pairs, calibrated (the attack)"] == theme.MEMBER, "as on every other page"
    assert colours["Blind baseline: texts alone"] == theme.INK
    more = areas.table(shipped.tables["figures"], "likelihood_ratio", "texts and classes")
    assert "Blind baseline: texts and classes alone" in areas.sentence(more)
    assert areas.sentence(shown.head(0)) == "No adversary has answered."
    by_name = {"attack": "word_pair_audit", "named": True}
    listed = documents.table(shipped.tables["scores"], shipped.tables["targets"], **by_name)
    assert listed["score"].is_monotonic_decreasing and len(listed) == 50
    assert isinstance(listed, pd.DataFrame) and listed["stricter"].between(0, 1).all()
