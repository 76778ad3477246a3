"""The commands audit ask and answer, from the questions to the report, with the scripts that the docs show."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import requests

from core.__main__ import main
from core.audits.model_plan import PROFILES, ModelProfile
from core.datasets.embeddings import Embeddings
from tests.errands import ROOT
from tests.games.answers.asked import Bigrams, memorising, table

SCRIPTS = dict(
    zip(
        ("scikit-learn", "completions", "embeddings"),
        re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "answers.md").read_text("utf-8"), re.DOTALL),
        strict=True,
    )
)


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Documents in a folder of their own, in which commands and scripts work; the routine is small."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PROFILES, "routine", ModelProfile("routine", 40, 5))
    rows = table()
    rows.to_csv("documents.csv", index=False)
    return rows


@pytest.fixture
def service(rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A service on this machine in OpenAI's style: a language model of the documents in, and vectors of texts."""
    model = Bigrams(rows[rows["member"] == "in"]["text"])

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.headers["Authorization"] == "Bearer KEY"
            if self.path == "/v1/completions":
                assert request["echo"] and request["max_tokens"] == 0
                nats = [None, *model.tokens(request["prompt"])["logprobs"][1:]]
                reply: dict[str, Any] = {"choices": [{"text": request["prompt"], "logprobs": {"token_logprobs": nats}}]}
            else:
                (text,) = request["input"]
                reply = {"data": [{"index": 0, "embedding": [len(text), text.count("a"), 0.5]}]}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(reply).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def asked(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Write the questions, and return what is said of them."""
    capsys.readouterr()
    assert main(["audit", "ask", *options, "--documents", "documents.csv"]) == 0
    printed = capsys.readouterr()
    Path("questions.jsonl").write_text(printed.out, encoding="utf-8")
    return printed.err


def test_a_second_round_is_asked_by_the_files_of_the_first(
    rows: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    model = memorising(rows[rows["member"] == "in"])

    def answer(name: str, into: str) -> None:
        first, *questions = map(json.loads, Path(name).read_text("utf-8").splitlines())
        labels = model.predict([each["text"] for each in questions])
        lines = [{"id": each["id"], "label": str(label)} for each, label in zip(questions, labels, strict=True)]
        Path(into).write_text("\n".join(map(json.dumps, [{"questions": first["questions"]}, *lines])), encoding="utf-8")

    asked(capsys, "classifier", "--set", "label_column=topic")
    answer("questions.jsonl", "answers.jsonl")
    again = ["audit", "ask", "classifier", "--again", "questions.jsonl", "answers.jsonl"]
    assert main([*again, "-o", "second.jsonl"]) == 0
    assert "copies, with words left out" in capsys.readouterr().err
    first = json.loads(Path("second.jsonl").read_text("utf-8").splitlines()[0])
    assert first["round"] == 2 and "round" not in json.loads(Path("questions.jsonl").read_text("utf-8").split("\n")[0])
    answer("second.jsonl", "again.jsonl")
    for given, says in (
        (["audit", "answer", "second.jsonl", "again.jsonl"], "--first FILE names the answers to the first round"),
        (["audit", "answer", "questions.jsonl", "answers.jsonl", "--first", "answers.jsonl"], "of round 1"),
        (["audit", "ask", "classifier", "--again", "second.jsonl", "again.jsonl"], "of the first round to"),
        (["audit", "ask", "classifier"], "by --documents"),
    ):
        assert main(given) == 1
        assert says in capsys.readouterr().err
    assert main(["audit", "answer", "second.jsonl", "again.jsonl", "--first", "answers.jsonl", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["estimates"]["auc"]["value"] > facts["estimates"]["auc_one_round"]["value"]


def test_a_classifier_from_the_questions_to_the_report(rows: pd.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    message = asked(capsys, "classifier", "--set", "label_column=topic")
    assert "120 in, 60 out, 60 unmarked, in 2 classes" in message
    assert "Profile routine: 80 questions about 40 targets in and 40 out. AUC to ± 0.13." in message
    first = Path("questions.jsonl").read_text("utf-8")
    assert '"member": "in"' not in first
    asked(capsys, "classifier", "--set", "label_column=topic")
    assert Path("questions.jsonl").read_text("utf-8") == first, "to ask again asks the same"

    exec(SCRIPTS["scikit-learn"], {"classifier": memorising(rows[rows["member"] == "in"])})
    whole = Path("answers.jsonl").read_text("utf-8").splitlines()
    answer = ["audit", "answer", "questions.jsonl", "answers.jsonl"]
    Path("answers.jsonl").write_text("\n".join([*whole[:40], *whole[43:]]), encoding="utf-8")
    assert main([*answer, "--rest", "rest.jsonl"]) == 1
    missing = capsys.readouterr().err
    assert missing.rstrip().endswith("rest.jsonl holds these questions alone.") and "--rest" not in missing
    assert "3 of 80 questions have no answer in answers.jsonl: lines 41, 42, 43 of questions.jsonl" in missing
    rest = [json.loads(line) for line in Path("rest.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in rest[1:]] == [json.loads(line)["id"] for line in whole[40:43]]
    with Path("answers.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join([whole[0], *whole[40:43]]))
    assert main([*answer, "--json", "--fail-if", "auc.low > 0.5"]) == 3
    facts = json.loads(capsys.readouterr().out)
    assert facts["said"][0] == "answers.jsonl: 80 answers, each probabilities of classes."
    assert facts["said"][1].startswith("Blind baseline")
    assert facts["conclusive"] is True and facts["estimates"]["auc"]["members"] == 40
    Path("documents.csv").rename("moved.csv")
    assert main(answer) == 1
    assert "--documents FILE names the table that they were asked about" in capsys.readouterr().err
    assert main([*answer, "--documents", "moved.csv"]) == 0
    assert f"python -m core report {facts['key']}" in capsys.readouterr().out
    assert main(["report", facts["key"], "-o", "report.md"]) == 0
    report = Path("report.md").read_text("utf-8")
    assert "Classifier audit" in report and rows["text"][0] not in report and "answers.jsonl" not in report


def test_a_language_model_behind_a_service(
    rows: pd.DataFrame, service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(capsys, "language_model")
    exec(SCRIPTS["completions"].replace("http://localhost:8000/v1", service), {})
    assert main(["audit", "answer", "questions.jsonl", "answers.jsonl", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["estimates"]["auc"]["low"] > 0.8 and facts["estimates"]["auc_min_k"]["members"] == 40
    assert "auc_min_k_plus" not in facts["estimates"]


def test_vectors_of_a_service_become_a_store_to_audit(
    rows: pd.DataFrame, service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "30 texts are asked about" in asked(capsys, "embeddings", "--texts", "30")
    exec(SCRIPTS["embeddings"].replace("http://localhost:8000/v1", service), {})
    answer = ["audit", "answer", "questions.jsonl", "answers.jsonl"]
    assert main([*answer, "-o", "mine.jsonl"]) == 0
    assert "python -m core audit vectors mine.jsonl" in capsys.readouterr().out
    stored = Embeddings(source="mine.jsonl").load()
    assert stored.values.shape == (30, 3)
    assert all(row[0] == len(text) for row, text in zip(stored.values, stored.texts, strict=True))
    assert main([*answer, "--json"]) == 1
    assert "go with 'audit vectors'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["classifer"], "Did you mean 'classifier'"),
        (["classifier"], "Set 'label_column'"),
        (["classifier", "--set", "label_column=topics"], "no column 'topics'. Did you mean 'topic'"),
        (["language_model", "--profile", "routin"], "Did you mean 'routine'"),
        (["language_model", "--set", "member_column=who"], "no column 'who'"),
        (["embeddings", "--texts", "0"], "must be at least 1"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(
    rows: pd.DataFrame, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    assert main(["audit", "ask", *options, "--documents", "documents.csv"]) == 1
    printed = capsys.readouterr()
    assert says in printed.err and printed.err.count("\n") == 1 and not printed.out


def test_questions_of_another_audit_are_refused(rows: pd.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys, "language_model")
    first, *lines = Path("questions.jsonl").read_text("utf-8").splitlines()
    header = json.loads(first)
    answers = [{"questions": header["questions"]}]
    answers += [{"id": json.loads(line)["id"], "logprob": -9.0, "tokens": 9} for line in lines]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    attack = {"attack": {"part": "word_pairs"}, "dataset": "lee_news", "model": "word2vec"}
    for spoiled in ({}, {**header["experiment"], "seed": "x"}, attack):
        Path("questions.jsonl").write_text("\n".join([json.dumps({**header, "experiment": spoiled}), *lines]), "utf-8")
        assert main(["audit", "answer", "questions.jsonl", "answers.jsonl"]) == 1
        assert "The first line of the questions" in capsys.readouterr().err
    assert main(["audit", "answer", "nothing.jsonl", "answers.jsonl"]) == 1
    assert "no file 'nothing.jsonl'" in capsys.readouterr().err


def test_a_script_stops_where_the_service_refuses(service: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys, "language_model")
    script = SCRIPTS["completions"].replace("http://localhost:8000/v1", service)
    with pytest.raises(requests.RequestException):
        exec(script.replace("Bearer KEY", "Bearer wrong"), {})
