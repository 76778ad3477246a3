"""Answers on the page: questions down, answers up, the named errors of the command line, and the verdict."""

import json
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.audits import answer_plan
from core.audits.model_plan import PROFILES
from core.catalog import model_audit
from core.jobs import Jobs
from core.result import Estimate, Result
from core.runtime.store import Store
from core.sources.answers.questions import Questions
from dashboard.kit.inputs import uploads
from dashboard.topics.model_audit import sections
from dashboard.topics.model_audit.figures import documents as figures_documents
from tests.dashboard.kept_results import words
from tests.dashboard.model_audit.test_page import opened
from tests.games.answers.asked import memorising, probabilities, table

ROWS = table(["in", "out"] * 45)
TELL = probabilities(memorising(ROWS[ROWS["member"] == "in"]))


def questions(path: str) -> Questions:
    """Return the questions that the page asks about the documents."""
    documents = {"source": path, "label_column": "topic"}
    audit = answer_plan.experiment("classifier", documents, PROFILES["smoke"])
    return answer_plan.questions(audit, audit.dataset.load())


def kept(lines: list[dict[str, object]]) -> str:
    return uploads.save_one(Store(), "answers.jsonl", "\n".join(map(json.dumps, lines)).encode(), "answers")


@pytest.fixture
def upload_and_questions(home: Path) -> tuple[str, Questions]:
    upload = uploads.save_one(Store(), "mine.csv", ROWS.to_csv(index=False).encode(), "asked")
    return upload, questions(uploads.locate(Store(), upload, "asked"))


def lines_of(about: Questions) -> list[dict[str, object]]:
    return [{"questions": about.checksum}, *({"id": name, **TELL(text)} for name, text in about.texts.items())]


def test_questions_go_down_answers_come_up_and_the_audit_is_queued_and_shown(
    app: AppTest, upload_and_questions: tuple[str, Questions], idle: list[object]
) -> None:
    upload, about = upload_and_questions
    shown = words(opened(app, asked=upload, asked_class="topic"))
    assert "90 of 90 rows read as documents: 45 in, 45 out, 0 unmarked, in 2 classes" in shown
    assert "Profile smoke: 46 questions about 23 targets in and 23 out" in shown
    answered = kept(lines_of(about))
    opened(app, asked=upload, asked_class="topic", answers=answered)
    assert not app.main.error
    app.button(key="run.start").click().run()
    (job,) = Jobs(Store()).all()
    paths = {name: uploads.locate(Store(), given, name) for name, given in (("asked", upload), ("answers", answered))}
    documents = {"source": paths["asked"], "label_column": "topic"}
    audit = answer_plan.experiment("classifier", documents, PROFILES["smoke"], answers=paths["answers"])
    assert job.key == audit.key
    shipped = Result.load(Store(), model_audit.shipped().key)
    assert shipped is not None
    renamed = {"word_pair_audit": "classifier_audit", "l2_distance": "offline_ratio", "uncalibrated": "confidence"}
    tables = {
        name: table.assign(variant=table["variant"].replace(renamed)) if "variant" in table else table
        for name, table in shipped.tables.items()
    }
    figures = {**shipped.estimates, "own_documents": Estimate.queries(44, "Own.")}
    Result(audit.as_dict(), figures, shipped.provenance, tables).save(Store(), audit.key)
    assert "trained logistic regressions of words" in words(opened(app, asked=upload, answers=answered))
    app.button(key="audit.unasked").click().run()
    assert not app.exception
    assert "view.answers" not in app.query_params and "gensim" in words(app)


def test_owners_are_shown_by_name_to_whoever_brought_the_documents(app: AppTest, home: Path) -> None:
    rows = table([("in", "in", "out")[number // 6 % 3] for number in range(480)])
    rows = rows.assign(who=[f"person {number // 6}" for number in range(480)])
    upload = uploads.save_one(Store(), "mine.csv", rows.to_csv(index=False).encode(), "asked")
    documents = {"source": uploads.locate(Store(), upload, "asked"), "label_column": "topic", "owner_column": "who"}
    audit = answer_plan.experiment("classifier", documents, PROFILES["smoke"])
    loaded = audit.dataset.load()
    about = answer_plan.questions(audit, loaded)
    answered = kept(lines_of(about))
    audit = audit.replace(model=audit.model.replace(source=uploads.locate(Store(), answered, "answers")))
    drawn = audit.game.draw(loaded, audit.seed)  # type: ignore[attr-defined]
    numbers = range(len(drawn.targets))
    of_targets = {"documents": [list(target.documents) for target in drawn.targets], "member": drawn.member}
    targets = pd.DataFrame({"target": numbers, "label": "a", **of_targets})
    scores = targets[["target", "member"]].assign(variant="classifier_audit", score=drawn.member * 1.0)
    shipped = Result.load(Store(), model_audit.shipped().key)
    assert shipped is not None
    figures = {**shipped.estimates, "own_documents": Estimate.queries(44, "Own.")}
    tables = {**shipped.tables, "targets": targets, "scores": scores}
    Result(audit.as_dict(), figures, shipped.provenance, tables).save(Store(), audit.key)
    opened(app, asked=upload, asked_class="topic", asked_owner="who", answers=answered)
    assert figures_documents.OWNERS in [expander.label for expander in app.main.expander]
    exposed = sections._exposed_owners(audit, Result.load(Store(), audit.key), "a key")
    assert exposed["owner"].str.startswith("person ").all() and (exposed["ahead"] == 1).all()
    assert len(exposed) == drawn.member.sum() and (exposed["documents"] == 6).all()


def test_answers_that_do_not_fit_are_named_by_line(app: AppTest, upload_and_questions: tuple[str, Questions]) -> None:
    upload, about = upload_and_questions
    whole = lines_of(about)
    label = {"probabilities": {"sport": 2.0}}
    cases = (
        (whole[:-2], "2 of 46 questions have no answer in answers.jsonl: lines 46, 47 of questions.jsonl"),
        ([*whole[:-1], {**whole[-1], **label}], "line 47"),
        ([*whole, whole[-1]], "Line 47 answers"),
        ([{"questions": "0" * 64}, *whole[1:]], "answers the questions 000000000000"),
        ([whole[0], *({"id": line["id"], "label": "sport"} for line in whole[1:])], "are the same"),
        ([whole[0], *({"id": line["id"], "label": "sprot"} for line in whole[1:])], "are the same"),
    )
    for lines, says in cases:
        opened(app, asked=upload, asked_class="topic", answers=kept(lines))
        assert says.lower() in app.main.error[0].value.replace("\\", "").lower(), says
        rest = [button.label for button in app.main.get("download_button") if "without an answer" in button.label]
        assert rest == (["2 questions without an answer"] if says.startswith("2 of") else [])
    app.selectbox(key="view.asked_class").set_value("").run()
    assert "“Column of the classes”" in app.main.error[0].value.replace("\\", "")


def test_the_file_of_questions_names_no_path_of_the_server(upload_and_questions: tuple[str, Questions]) -> None:
    from dashboard.topics.model_audit import answers

    upload, about = upload_and_questions
    documents = {"source": uploads.locate(Store(), upload, "asked"), "label_column": "topic"}
    audit = answer_plan.experiment("classifier", documents, PROFILES["smoke"])
    file = "\n".join(answers._asked(audit, "smoke", "a key").shown.written())
    first, *rest = map(json.loads, file.splitlines())
    assert first["experiment"]["dataset"]["source"] == "mine.csv" and str(Store().root) not in file
    assert first["questions"] == about.checksum and [line["id"] for line in rest] == list(about.texts)
