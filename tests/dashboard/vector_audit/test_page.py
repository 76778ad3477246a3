"""The audit of a vector store on its page: the one that ships, and that of one's own vectors."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.adversaries.encoder_fit import Fit
from core.audits import plan
from core.audits.profiles import PROFILES
from core.audits.verdict import verdict
from core.catalog import vector_audit
from core.datasets.embeddings import Embeddings
from core.errors import InvalidDocuments, InvalidSpec, WorkerLost
from core.experiment import Experiment
from core.jobs import Jobs, recognition
from core.models.encoder import Encoder
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import landing, links, visitors
from dashboard.kit.forms import needed
from dashboard.kit.inputs import allowed, uploads
from dashboard.kit.visitors import Visitor
from dashboard.room.rooms import Rooms
from dashboard.topics.model_audit import fields
from dashboard.topics.vector_audit import stored_as
from tests.dashboard.kept_results import words
from tests.stand_ins import Sentences

TEXTS = Sentences(count=40, share=0).load().texts


def npy(count: int = 40) -> bytes:
    held = io.BytesIO()
    values = np.random.default_rng(0).normal(size=(count, 384)).astype(np.float32)
    np.save(held, values / np.linalg.norm(values, axis=1, keepdims=True))
    return held.getvalue()


def fits(*, elsewhere: int = 0, nearest: int = 40) -> tuple[Fit, ...]:
    same = nearest - elsewhere
    return (Fit("minilm", "all-MiniLM-L6-v2", "mean", 40, same, nearest, elsewhere, 1.0, 40, 40),)


def opened(app: AppTest, **query: str) -> AppTest:
    app.switch_page("views/vector_audit.py")
    for name, value in query.items():
        app.query_params[f"view.{name}"] = value
    app.run()
    assert not app.exception
    return app


def test_the_audit_that_ships_is_shown_with_its_verdict(app: AppTest, home: Path) -> None:
    results = [(step, Result.load(Store(), step.experiment.key)) for step in vector_audit.AUDITS["restaurants"].steps]
    judged = verdict([(step, result.estimates) for step, result in results if result is not None])
    assert all(result is not None for _, result in results)
    shown = words(opened(app))
    order = [text for element in app.main if isinstance(text := getattr(element, "value", None), str)]
    whose, answer = (
        next(at for at, text in enumerate(order) if some in text) for some in ("Shown below", "can be read")
    )
    assert whose < answer, "first whose audit, then the figures"
    assert judged.headline in shown
    assert "names words with F1 63%" in judged.headline, "one figure, which a tile repeats"
    tiles = {tile.label: tile.value for tile in app.metric}
    assert tiles["F1 of words, by text search"] == "63%", "the figure of the headline"
    assert (tiles["F1 of words, by a classifier"], tiles["F1 of words, from leaked pairs"]) == ("60%", "62%")
    assert "F1 of words joins recall, the share of a text’s words that are named, and" in shown
    assert all(sentence[:60] in shown for sentence in (*judged.findings, *judged.limits))
    assert "whole texts word for word" in shown and "with an nDCG of" in shown
    assert "Behind a secret order of the coordinates that it does not know" in shown
    assert "comes with Telltale" in shown


def test_ones_own_vectors_are_checked_queued_and_shown_once_read(
    app: AppTest, home: Path, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    vectors = uploads.save_one(store, "mine.npy", npy(), "source")
    table = uploads.save_one(store, "mine.csv", "\n".join(["text", *TEXTS]).encode(), "texts")
    assert "add the table with the text" in opened(app, vectors=vectors).main.info[0].value
    opened(app, vectors=vectors, texts=table)
    shown = words(app)
    assert "mine.npy: 40 vectors of 384 dimensions" in shown
    assert "these vectors are all-MiniLM-L6-v2" in shown and "cosine 1.000 on 40 of 40 texts" in shown
    assert PROFILES["smoke"].announced(labelled=False) in shown
    assert "not known yet" not in shown
    assert "F1 0" not in shown, "another store's figures are not shown for one's own"
    app.button(key="run.start").click().run()
    named = [bar.proto.text.replace("\\", "").partition("):")[0] for bar in app.main.get("progress")]
    assert len(set(named)) == len(named) > 3 and "Inversion by classifier (float16" in named
    waiting = {job.key for job in Jobs(store).all()}
    paths = {field: uploads.locate(store, upload, field) for field, upload in (("source", vectors), ("texts", table))}
    dataset = Embeddings.parse(paths)
    steps = plan.steps(dataset, Encoder(source="minilm", length="unit"), PROFILES["smoke"], plan.own_encoder("minilm"))
    assert waiting == {step.experiment.key for step in steps}
    shipped = {step.name: step.experiment.key for step in vector_audit.AUDITS["restaurants"].steps}
    for step in steps:
        result = Result.load(store, shipped[step.name])
        assert result is not None
        result.save(store, step.experiment.key)
    for step in steps:
        named = {"view.vectors": vectors, "view.texts": table, "view.column": "text", "view.profile": "smoke"}
        encoder = {"view.encoder": "all-MiniLM-L6-v2"} if step.knows_encoder else {}
        assert links.audit_of(step.experiment, store) == {**named, **encoder}, "Runs opens it where it was asked for"
    queries = uploads.save_one(store, "asked.csv", b"text\nwhere is it\n", "queries")
    assert (
        links.audit_of(
            steps[0].experiment.replace(
                dataset=dataset.replace(queries=str(uploads.locate(store, queries, "queries")))
            ),
            store,
        )["view.queries"]
        == queries
    )
    app.text_input(key="view.keywords").set_value("pizza, !!").run()
    assert "must have a letter or a digit; '!!' has none" in app.main.error[0].value.replace("\\", "")
    app.text_input(key="view.keywords").set_value("pizza").run()
    assert [button for button in app.button if button.key == "run.start"], "with keywords it is another audit"
    app.text_input(key="view.keywords").set_value("").run()
    shown = words(opened(app, vectors=vectors, texts=table))
    assert "A copy of these vectors can be read" in shown
    assert "Marked: the" in shown and "Victim" not in shown
    grown = (
        uploads.save_one(store, "grown.npy", npy(41), "source"),
        uploads.save_one(store, "grown.csv", "\n".join(["text", *TEXTS, "a later one"]).encode(), "texts"),
    )
    shown = words(opened(app, vectors=grown[0], texts=grown[1]))
    assert "Grown from 40 to 41 rows since an earlier audit" in shown
    opened(app, vectors=vectors, texts=table)
    app.text_input(key="view.vector_column").set_value("nowhere").run()
    untitled = uploads.save_one(store, "other.csv", b"id\n1\n", "source")
    assert "Set “Column of the vectors” to" in opened(app, vectors=untitled, texts=table).main.error[0].value


def test_the_key_of_a_step_opens_the_audit_that_comes_with_telltale(app: AppTest, home: Path) -> None:
    step = vector_audit.AUDITS["airlines"].steps[0]
    shown = words(opened(app, result=step.experiment.key))
    assert "an audit that comes with Telltale, profile smoke: airline reviews" in shown
    assert app.query_params["view.shipped"] == "airline reviews" and "view.result" not in app.query_params


def test_the_key_of_a_step_opens_the_audit_of_ones_own_vectors(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch, browser: dict[str, dict[str, str]]
) -> None:
    store = Store()
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    browser["cookies"][visitors.COOKIE] = "1" * 32
    vectors = uploads.save_one(store, "mine.npy", npy(), "source", visitors.current().ids)
    table = "\n".join(["text", *TEXTS]).encode()
    texts = uploads.save_one(store, "mine.csv", table, "texts", visitors.current().ids)
    paths = {field: uploads.locate(store, text, field) for field, text in (("source", vectors), ("texts", texts))}
    encoder = Encoder(source="minilm", length="unit")
    own = plan.steps(Embeddings.parse(paths), encoder, PROFILES["smoke"], plan.own_encoder("minilm"))[0].experiment
    result = Result.load(store, vector_audit.AUDITS["restaurants"].steps[0].experiment.key)
    assert result is not None
    replace(result, experiment=own.as_dict()).save(store, own.key)
    shown = words(opened(app, result=own.key))
    assert "mine.npy: 40 vectors" in shown and "restaurant" not in shown
    assert app.query_params["view.vectors"] == vectors and "view.result" not in app.query_params

    browser["cookies"][visitors.COOKIE] = "2" * 32
    for _ in range(2):
        foreign = opened(AppTest.from_file(app._script_path), result=own.key)
        other = words(foreign) + "".join(warning.value for warning in foreign.main.warning)
        assert "mine" not in other and "No stored audit has the key" in other
        assert not foreign.main.error, "whether there is one tells what somebody audited"
        uploads.save_one(store, "alike.npy", npy(), "source", visitors.current().ids)  # the same vectors, not the texts


def test_a_key_of_no_audit_shows_no_other_audit(app: AppTest, home: Path) -> None:
    shown = words(opened(app, result="0" * 16)) + app.main.warning[0].value
    assert "No stored audit has the key 0000000000000000" in shown
    assert "Shown below" not in shown and "can be read" not in shown
    (back,) = [button for button in app.button if button.key == "audit.shipped"]
    back.click().run()
    assert "comes with Telltale, profile" in words(app) and "view.result" not in app.query_params


def test_the_key_of_another_result_leads_to_its_page(app: AppTest, home: Path) -> None:
    key = landing.experiment("few_shot_inversion").key
    opened(app, result=key)
    (link,) = [each.proto for each in app.main.get("page_link") if "result" in each.proto.query_string]
    assert "attack=few_shot_inversion" in link.query_string and key in link.query_string


def test_the_column_of_the_texts_is_found_by_its_usual_names(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    vectors = uploads.save_one(store, "mine.npy", npy(), "source")
    table = pd.DataFrame({"id": range(40), "who": "Ann", "body": TEXTS}).to_csv(index=False).encode()
    texts = uploads.save_one(store, "mine.csv", table, "texts")
    assert "40 vectors of 384 dimensions" in words(opened(app, vectors=vectors, texts=texts))
    column = app.selectbox(key="view.column")
    assert column.value == "body" and column.options == ["id", "who", "body"]
    assert app.selectbox(key="view.owner_column").options == ["none", "id", "who", "body"]
    asked = uploads.save_one(store, "asked.csv", b"id,body\n1,where is it\n", "queries")
    opened(app, queries=asked)
    assert app.selectbox(key="view.query_column").value == "body"


def test_queries_of_an_arrow_table_are_read_by_the_name_of_the_texts(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, held = Store(), io.BytesIO()
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    pd.DataFrame({"body": ["where is it", "what is it"]}).to_feather(held)
    vectors = uploads.save_one(store, "mine.npy", npy(), "source")
    texts = uploads.save_one(store, "mine.csv", "\n".join(["body", *TEXTS]).encode(), "texts")
    queries = uploads.save_one(store, "asked.feather", held.getvalue(), "queries")
    opened(app, vectors=vectors, texts=texts, queries=queries)
    assert not app.text_input(key="view.query_column").value and not app.main.error


def test_a_column_whose_name_cannot_be_written_is_not_offered(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    vectors = uploads.save_one(store, "mine.npy", npy(), "source")
    rows = "\n".join(json.dumps({"\ud800": "a", "text": text}) for text in TEXTS)
    texts = uploads.save_one(store, "mine.jsonl", rows.encode(), "texts")
    opened(app, vectors=vectors, texts=texts)
    assert app.selectbox(key="view.column").options == ["text"]
    assert not app.exception and "40 vectors of 384 dimensions" in words(app)
    rows = "\n".join(json.dumps({"\ud800": "a", "b": text, "c": "d"}) for text in TEXTS)
    texts = uploads.save_one(store, "other.jsonl", rows.encode(), "texts")
    opened(app, vectors=vectors, texts=texts)
    assert "There are \\ud800, b and c." in app.main.error[0].value.replace("\\\\", "\\").replace("\\.", ".")


def test_a_column_of_queries_that_is_called_as_that_of_the_texts_needs_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"view.column": "body", "view.query_column": "body"}
    monkeypatch.setattr(stored_as.st, "session_state", chosen)
    assert stored_as.given() == {"text_column": "body"}
    chosen["view.query_column"] = "asked"
    assert stored_as.given() == {"text_column": "body", "query_column": "asked"}


def test_vectors_that_are_not_finite_are_counted_on_the_page(app: AppTest, home: Path) -> None:
    values = np.random.default_rng(0).normal(size=(40, 16)).astype(np.float32)
    values[:5, 3] = np.nan
    stored = io.BytesIO()
    np.save(stored, values)
    shown = words(opened(app, vectors=uploads.save_one(Store(), "holes.npy", stored.getvalue(), "source")))
    assert "holes.npy: 40 vectors of 16 dimensions" in shown and "all checked" in shown
    assert "not finite: 5." in shown and "left out of every sample" in shown


def test_a_participant_of_a_room_audits_within_its_limits(
    app: AppTest, home: Path, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, ann, store, rooms = "1" * 32, "a" * 32, Store(), Rooms(Store())
    room, _ = rooms.start("vector", host)
    rooms.join(room.code, ann)
    monkeypatch.setattr(visitors, "current", lambda: Visitor((ann,)))
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    monkeypatch.setattr(needed, "expected_seconds", lambda experiment: 20 * 60.0)
    vectors = uploads.save_one(store, "mine.npy", npy(), "source", (ann,))
    table = uploads.save_one(store, "mine.csv", "\n".join(["text", *TEXTS]).encode(), "texts", (ann,))
    opened(app, vectors=vectors, texts=table)
    assert [warning.value for warning in app.warning if "In your room a run may take 10 min" in warning.value]
    assert app.button(key="run.start").disabled
    rooms.allow_runs(room.code, host, 1)
    rooms.allow_minutes(room.code, host, 30)
    opened(app, vectors=vectors, texts=table).button(key="run.start").click().run()
    assert "At most 1 run of one visitor may wait at once" in app.error[0].value
    assert sorted(job.state for job in Jobs(store).all()) == ["queued", "running"]


def test_whole_numbers_are_read_once_their_scale_is_given_and_the_link_says_how(app: AppTest, home: Path) -> None:
    stored = io.BytesIO()
    np.save(stored, np.ones((40, 16), np.int8))
    vectors = uploads.save_one(Store(), "codes.npy", stored.getvalue(), "source")
    opened(app, vectors=vectors)
    message = app.error[0].value.replace("\\", "")
    assert "whole numbers without a scale. Set “Scale” to" in message and "or set “Stored as” to bits" in message
    app.number_input(key="view.scale").set_value(0.5)
    app.number_input(key="view.zero").set_value(3).run()
    assert not app.exception and not app.error
    assert "codes.npy: 40 vectors of 16 dimensions" in words(app) and "All have length 4," in words(app)
    app.number_input(key="view.scale").set_value(-1.0).run()
    assert "above 0, such as 1" in app.error[0].value
    app.number_input(key="view.scale").set_value(0.0)
    app.segmented_control(key="view.storage").set_value("bits").run()
    assert "codes.npy: 40 vectors of 128 dimensions" in words(app)


def test_owners_and_labels_are_asked_for_and_the_link_names_their_columns(
    app: AppTest, home: Path, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    store = Store()
    vectors = uploads.save_one(store, "mine.npy", npy(), "source")
    rows = [f"{text.replace(',', '')},person {number % 4}" for number, text in enumerate(TEXTS)]
    table = uploads.save_one(store, "owned.csv", "\n".join(["text,who", *rows]).encode(), "texts")
    query = {"vectors": vectors, "texts": table, "owner_column": "who"}
    opened(app, **query)
    assert app.selectbox(key="view.owner_column").value == "who"
    app.button(key="run.start").click().run()
    experiments = [Experiment.parse(job.experiment) for job in Jobs(store).all()]
    owned = [one for one in experiments if one.attack.part_name() == "attribute_inference"]
    assert len(owned) == 1, "the owner is inferred, too"
    link = links.audit_of(owned[0], store)
    assert link is not None and {f"view.{name}": value for name, value in query.items()}.items() <= link.items()
    other = opened(AppTest.from_file(app._script_path), **query, label_column="topic")
    assert "there is no “topic” here. none is shown instead" in other.main.warning[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("storage", "bits", "bits"),
        ("scale", 1 / 127.5, "0.00784313725490196"),
        ("zero", 128, "128"),
        ("text_column", "body", "body"),
    ],
)
def test_a_link_says_how_stored_numbers_are_read(home: Path, field: str, value: object, shown: str) -> None:
    store = Store()
    source = uploads.locate(store, uploads.save_one(store, "mine.npy", npy(), "source"), "source")
    steps = plan.steps(Embeddings.parse({"source": str(source), field: value}), None, PROFILES["smoke"], "minilm")
    link = links.audit_of(steps[0].experiment, store)
    assert link is not None and link[f"view.{links.AUDIT_FIELDS[field]}"] == shown


def test_a_link_opens_the_columns_that_were_audited(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "encoder_fits", lambda dataset: fits())
    store = Store()
    table = pd.DataFrame({"text": "none", "body": TEXTS, "query": TEXTS})
    content = {"source": ("mine.npy", npy())}
    content |= {
        "texts": ("mine.csv", table[["body", "text"]].to_csv(index=False).encode()),
        "queries": ("asked.csv", table[["text", "query", "body"]].to_csv(index=False).encode()),
    }
    names = {field: uploads.save_one(store, *file, field) for field, file in content.items()}
    paths = {field: str(uploads.locate(store, name, field)) for field, name in names.items()}
    for columns in ({"text_column": "body"}, {"text_column": "text", "query_column": "body"}, {"text_column": "text"}):
        dataset = Embeddings.parse({**paths, **columns})
        link = links.audit_of(plan.steps(dataset, None, PROFILES["smoke"], "minilm")[0].experiment, store)
        assert link is not None
        page = opened(AppTest.from_file(app._script_path), **{name[5:]: value for name, value in link.items()})
        shown = [page.selectbox(key=f"view.{name}").value for name in ("column", "query_column")]
        assert shown == [dataset.text_column, dataset.query_column or dataset.text_column]
    other = links.audit_of(
        plan.steps(Embeddings.parse({**paths, "queries": ""}), None, PROFILES["smoke"], "minilm")[0].experiment, store
    )
    assert other is not None and other["view.column"] == "text" and "view.query_column" not in other


@pytest.mark.parametrize("kind", ["shuffled", "another encoder", "untold"])
def test_the_encoder_that_is_recognised_is_chosen_first(
    app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def told(dataset: Embeddings) -> tuple[Fit, ...]:
        if kind == "untold":
            raise WorkerLost("It ended.")
        return fits(elsewhere=40) if kind == "shuffled" else fits(nearest=0)

    monkeypatch.setattr(recognition, "encoder_fits", told)
    store = Store()
    vectors = uploads.save_one(store, f"{kind}.npy", npy(), "source")
    table = uploads.save_one(store, f"{kind}.csv", "\n".join(["text", *TEXTS[:-1], kind]).encode(), "texts")
    opened(app, vectors=vectors, texts=table)
    shown = words(app)
    started = [button for button in app.button if button.key == "run.start"]
    if kind == "shuffled":
        assert "texts are in another order than the vectors" in shown and not started
        return
    assert started
    chosen = app.selectbox(key="view.encoder").value
    assert chosen == ("unknown" if kind == "another encoder" else "minilm")
    warned = [warning.value.replace("\\", "") for warning in app.warning]
    assert warned == (["It ended. Choose the encoder yourself."] if kind == "untold" else [])


def test_a_column_that_is_called_as_a_parameter_keeps_its_name() -> None:
    labels = {"text_column": ("Column of the texts", "", "")}
    message = "a.csv has no column 'text'. Did you mean 'text_column'? Set 'text_column' to the column that is meant."
    labelled = message.replace("Set 'text_column'", "Set “Column of the texts”")
    assert stored_as.labelled(message) == fields.as_labelled(message, labels) == labelled
    assert stored_as.labelled("The 'scale' parameter of embeddings must be").startswith("The “Scale” parameter")


def test_only_uploads_of_the_right_kind_are_read(home: Path) -> None:
    with pytest.raises(InvalidDocuments, match=r"npy, npz.*'mine\.pkl'"):
        uploads.save_one(Store(), "mine.pkl", b"x", "source")
    assert uploads.save_one(Store(), "mine.tsv", b"text\tvector\na\t[1,2]\n", "source").endswith("mine.tsv")
    step = plan.steps(Embeddings(source="/etc/passwd"), None, PROFILES["smoke"], "minilm")[0]
    with pytest.raises(InvalidSpec, match=r"'dataset\.source' parameter must be something uploaded here"):
        allowed.check(step.experiment, Store())
    asking = plan.steps(Embeddings(queries="/etc/passwd"), None, PROFILES["smoke"], "minilm")[0]
    with pytest.raises(InvalidSpec, match=r"'dataset\.queries' parameter must be something uploaded here"):
        allowed.check(asking.experiment, Store())
