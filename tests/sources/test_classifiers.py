"""Classifiers in files: skops and ONNX say what the pipeline says, and what could run a program is refused."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from core.__main__ import main
from core.audits.model_plan import PROFILES, ModelProfile
from core.errors import ModelRefused
from core.sources import classifiers
from tests.games.answers.asked import table

ROWS = table(["in", "out", ""] * 50)
INSIDE = ROWS[ROWS["member"] == "in"]
TEXTS = ROWS["text"].tolist()[:7]


def fitted(classifier: Any = None) -> Pipeline:
    steps = (TfidfVectorizer(), classifier or LogisticRegression(C=1000))
    return make_pipeline(*steps).fit(INSIDE["text"], INSIDE["topic"])


def skops(path: Path, pipeline: Pipeline) -> Path:
    pytest.importorskip("skops.io", reason="skops is optional").dump(pipeline, path)
    return path


def onnx(path: Path, pipeline: Pipeline, **options: Any) -> Path:
    pytest.importorskip("onnxruntime", reason="onnxruntime is optional")
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is optional")
    kind = skl2onnx.common.data_types.StringTensorType([None, 1])
    last = {type(pipeline[-1]): options} if options else {}
    settings = {TfidfVectorizer: {"locale": "C", "tokenexp": "[a-z]+"}, **last}
    graph = skl2onnx.convert_sklearn(pipeline, initial_types=[("text", kind)], options=settings)
    path.write_bytes(graph.SerializeToString())
    return path


def close(answers: classifiers.Answers, pipeline: Pipeline) -> bool:
    rows = [dict(zip(pipeline.classes_, row, strict=True)) for row in pipeline.predict_proba(TEXTS)]
    return all(
        one.keys() == other.keys() and all(np.isclose(one[name], other[name], atol=1e-4) for name in one)
        for one, other in zip(answers, rows, strict=True)
        if isinstance(one, dict)
    ) and isinstance(answers[0], dict)


def test_skops_says_what_the_pipeline_says(tmp_path: Path) -> None:
    assert close(classifiers.answers(skops(tmp_path / "mine.skops", fitted()), TEXTS), fitted())
    machine = fitted(LinearSVC())
    assert classifiers.answers(skops(tmp_path / "svm.skops", machine), TEXTS) == machine.predict(TEXTS).tolist()


@pytest.mark.parametrize("options", [{}, {"zipmap": False}])
def test_onnx_says_what_the_pipeline_says(tmp_path: Path, options: dict[str, Any]) -> None:
    path = onnx(tmp_path / "mine.onnx", fitted(), **options)
    assert close(classifiers.answers(path, TEXTS), fitted())
    if options:
        with pytest.raises(ModelRefused, match="--set classes="):
            classifiers.answers(path, TEXTS[:1])
        (answer,) = classifiers.answers(path, TEXTS[:1], ["news", "sport"])
        assert isinstance(answer, dict) and answer.keys() == {"news", "sport"}
        with pytest.raises(ModelRefused, match=r"2 probabilities\. 3 classes"):
            classifiers.answers(path, TEXTS, ["news", "sport", "weather"])


def shout(texts: Any) -> Any:
    return [text.upper() for text in texts]


def test_what_could_run_a_program_is_refused(tmp_path: Path) -> None:
    for name in ("mine.pkl", "mine.joblib"):
        with pytest.raises(ModelRefused, match=r"holds a pickle.*skops.io.dump\(classifier, 'mine.skops'\)"):
            classifiers.answers(tmp_path / name, TEXTS)
    pipeline = make_pipeline(FunctionTransformer(shout), *(step for _, step in fitted().steps))
    with pytest.raises(ModelRefused, match=r"types that skops does not trust.*shout"):
        classifiers.answers(skops(tmp_path / "code.skops", pipeline), TEXTS)


def test_a_library_that_quotes_a_text_is_not_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def quoting(_: Path, texts: Sequence[str], __: Sequence[str]) -> list[str]:
        raise ValueError(f"could not convert string to float: {texts[0]!r}")

    monkeypatch.setitem(classifiers._FORMATS, ".skops", quoting)
    with pytest.raises(ModelRefused, match=r"mine\.skops does not run: could not convert string to float:$"):
        classifiers.answers(tmp_path / "mine.skops", ["Patient with dementia"])


def test_what_is_no_classifier_of_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match="is no fitted classifier"):
        classifiers.answers(skops(tmp_path / "words.skops", fitted()[:1]), TEXTS)
    (tmp_path / "broken.skops").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(ModelRefused, match="does not run"):
        classifiers.answers(tmp_path / "broken.skops", TEXTS)
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is optional")
    kind = skl2onnx.common.data_types.FloatTensorType([None, len(fitted()[0].vocabulary_)])
    graph = skl2onnx.convert_sklearn(fitted()[1], initial_types=[("numbers", kind)])
    (tmp_path / "numbers.onnx").write_bytes(graph.SerializeToString())
    (tmp_path / "broken.onnx").write_bytes(b"no graph")
    for name, says in (("numbers.onnx", r"must take texts.*It takes tensor\(float\)"), ("broken.onnx", "does not run")):
        with pytest.raises(ModelRefused, match=says):
            classifiers.answers(tmp_path / name, TEXTS)


@pytest.mark.parametrize(("name", "library"), [("mine.skops", "skops"), ("mine.onnx", "onnxruntime")])
def test_a_missing_library_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    (tmp_path / name).write_bytes(b"")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ModelRefused, match=f"pip install {library}"):
        classifiers.answers(tmp_path / name, TEXTS)


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rest of a small audit's arguments."""
    monkeypatch.setitem(PROFILES, "routine", ModelProfile("routine", 25, 5))
    ROWS.to_csv(tmp_path / "documents.csv", index=False)
    return ["--documents", str(tmp_path / "documents.csv"), "--set", "label_column=topic", "--json"]


def test_a_classifier_is_audited_where_it_lies(
    tmp_path: Path, documents: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    estimates = {}
    for name, path in (
        ("skops", skops(tmp_path / "mine.skops", fitted())),
        ("svm", skops(tmp_path / "svm.skops", fitted(LinearSVC()))),
    ):
        assert main(["audit", "model", str(path), *documents]) == 0
        printed = capsys.readouterr()
        estimates[name] = json.loads(printed.out)["estimates"]
        assert f"{path.name}: a classifier" in printed.err and "10 shadow models" in printed.err
    assert estimates["skops"]["auc"]["low"] > 0.5 and estimates["skops"]["queries"]["value"] == 1
    assert estimates["svm"]["auc_one_round"]["value"] < estimates["svm"]["auc"]["value"], "it returns only the class"


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["mine.pkl"], "holds a pickle"),
        (["gone.skops"], "There is no folder and no file"),
        (["here.skops", "--base", "base"], "--base is of a model in a folder"),
        (["here.skops", "--set", "label_column="], "Set 'label_column'"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(
    tmp_path: Path, documents: list[str], capsys: pytest.CaptureFixture[str], extra: list[str], says: str
) -> None:
    pd.DataFrame().to_csv(tmp_path / "here.skops")
    assert main(["audit", "model", str(tmp_path / extra[0]), *documents, *extra[1:]]) == 1
    assert says in capsys.readouterr().err
