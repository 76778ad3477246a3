"""The audit by answers: memory is found, a model that never saw the documents is at chance, secrets stay secret."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline

from core.access import Access
from core.access.answers import ClassLabels
from core.audits import answer_plan
from core.errors import Incompatible, InvalidAnswers
from core.experiment import Experiment, run
from core.games.answers.contract import AnswersAttack, AnswersBriefing
from core.games.membership.contract import Adversary, Answer
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.sources.answers.questions import Questions
from tests.games.answers.asked import Bigrams, Teller, answered, label, memorising, prepared, probabilities, table
from tests.games.reachable import reachable_arrays


class Guessing(AnswersAttack):
    """Draws its answers."""

    title: ClassVar[str] = "guessing"
    question: ClassVar[str] = "Which are in?"
    threat: ClassVar[str] = "Nothing is known."
    needs: ClassVar[type[Access]] = ClassLabels
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    seen: ClassVar[list[AnswersBriefing]] = []

    def prepare(self, briefing: AnswersBriefing, context: RunContext) -> Iterator[Adversary]:
        self.seen.append(briefing)
        yield _Guess(self.part_name())


class _Guess(Adversary):
    shadows = 0

    def __init__(self, variant: str) -> None:
        self.variant = variant

    def answer(self, target: int, access: Access) -> Answer:
        return Answer(float(np.random.default_rng(target).normal()))


class ByClass(Guessing):
    """Draws its answers, and needs classes."""

    by_class: ClassVar[bool] = True


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="module")
def inside(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["member"] == "in"]


@pytest.fixture(scope="module")
def prepared_audit(rows: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Experiment, Any]:
    folder = tmp_path_factory.mktemp("asked")
    return folder, *prepared(folder, rows, "classifier")


@pytest.fixture(scope="module")
def leaking(
    prepared_audit: tuple[Path, Experiment, Any], inside: pd.DataFrame, shared_store: Store
) -> tuple[Experiment, Result]:
    folder, audit, questions = prepared_audit
    audit = answered(folder, audit, questions, probabilities(memorising(inside)))
    return audit, run(audit, RunContext(store=shared_store))[0]


def at_chance(result: Result) -> None:
    for name, figure in result.estimates.items():
        assert figure.chance is None or figure.low <= figure.chance, name
        assert figure.chance is None or figure.chance <= figure.high or name.endswith("model_free"), name


def test_what_a_classifier_has_memorised_is_found(leaking: tuple[Experiment, Result]) -> None:
    estimates = leaking[1].estimates
    assert estimates.keys() <= leaking[0].game.names(leaking[0].attack)
    assert estimates["auc"].above_chance() and estimates["auc"].value > max(0.7, estimates["auc_confidence"].value)
    assert estimates["accuracy"].above_chance() and estimates["accuracy"].members == 60
    assert not estimates["auc_model_free"].above_chance()
    assert estimates["queries"].value == 1
    assert set(leaking[1].tables["roc"]["variant"]) == {"model_free", "confidence", "offline_ratio", "classifier_audit"}
    conclusion = answer_plan.concluded("classifier", estimates)
    assert conclusion.conclusive and conclusion.lines[0].startswith("Blind baseline")
    assert conclusion.headline.startswith("This model gives away")
    assert f"had {round(estimates['own_documents'].value):,} documents" in conclusion.limits[1]


def test_a_classifier_that_never_saw_the_documents_is_at_chance(
    prepared_audit: tuple[Path, Experiment, Any], rows: pd.DataFrame, shared_store: Store
) -> None:
    folder, audit, questions = prepared_audit
    other = memorising(rows[rows["member"] == ""])
    null = answered(folder, audit, questions, probabilities(other), "null.jsonl")
    at_chance(run(null, RunContext(store=shared_store))[0])


def test_the_class_alone_tells_less_but_tells(
    prepared_audit: tuple[Path, Experiment, Any],
    inside: pd.DataFrame,
    shared_store: Store,
    leaking: tuple[Experiment, Result],
) -> None:
    folder, audit, questions = prepared_audit
    classes = answered(folder, audit, questions, label(memorising(inside)), "classes.jsonl")
    area = run(classes, RunContext(store=shared_store))[0].estimates["auc"]
    assert area.above_chance() and area.value < leaking[1].estimates["auc"].value


def labels(model: Pipeline, questions: Questions) -> Teller:
    """Return what a classifier says, which is asked once for all questions."""
    texts = list(questions.texts.values())
    return {text: {"label": str(label)} for text, label in zip(texts, model.predict(texts), strict=True)}.__getitem__


def test_a_second_round_about_what_the_first_named_rightly_finds_more(
    prepared_audit: tuple[Path, Experiment, Any], inside: pd.DataFrame, rows: pd.DataFrame, shared_store: Store
) -> None:
    folder, audit, questions = prepared_audit
    results = {}
    for name, model in (("mine", memorising(inside)), ("other", memorising(rows[rows["member"] == ""]))):
        first = answered(folder, audit, questions, labels(model, questions), f"{name}.jsonl")
        again = answer_plan.questions_again(first, first.dataset.load())
        texts = np.array(list(questions.texts.values()))
        right = texts[rows.set_index("text").loc[texts, "topic"].to_numpy() == model.predict(texts)]
        words = {tuple(text.split()) for text in right}
        assert again.round == 2 and len(again.texts) <= 12 * len(right) < 12 * len(questions.texts)
        assert all(any(set(copy.split()) < set(whole) for whole in words) for copy in list(again.texts.values())[:20])
        second = answered(folder, audit, again, labels(model, again), f"{name} again.jsonl").model.source
        both = first.replace(model=first.model.replace(second=second))
        assert both.key != first.key
        results[name] = run(both, RunContext(store=shared_store))[0]
    figures = results["mine"].estimates
    assert figures["auc"].value > figures["auc_one_round"].value + 0.03 and figures["auc"].above_chance()
    assert figures["queries"].value > 5 and figures.keys() <= audit.game.names(audit.attack)
    assert "It asked again about documents" in " ".join(answer_plan.concluded("classifier", figures).limits)
    null = results["other"].estimates
    assert null["auc"].low <= 0.5 <= null["auc"].high


def test_answers_that_tell_more_than_the_class_are_not_asked_about_again(
    leaking: tuple[Experiment, Result], store: Store
) -> None:
    audit = leaking[0]
    with pytest.raises(Incompatible, match="asks nothing again"):
        answer_plan.questions_again(audit, audit.dataset.load())
    both = audit.replace(model=audit.model.replace(second=audit.model.as_dict()["source"]))
    with pytest.raises(Incompatible, match="asks nothing again"):
        run(both, RunContext(store=store))


def test_the_key_and_the_bytes_are_those_of_what_the_answers_say(
    leaking: tuple[Experiment, Result], tmp_path: Path, shared_store: Store, store: Store
) -> None:
    audit, result = leaking
    lines = Path(audit.model.as_dict()["source"]).read_text("utf-8").splitlines()
    turned, changed = tmp_path / "turned.jsonl", tmp_path / "changed.jsonl"
    turned.write_text("\n".join(reversed(lines)) + "\n\n", encoding="utf-8")
    again = audit.replace(model=audit.model.replace(source=str(turned)))
    assert again.key == audit.key
    repeated, cached = run(again, RunContext(store=store))
    assert not cached and repeated.estimates == result.estimates
    assert all(table.equals(repeated.tables[name]) for name, table in result.tables.items())
    other = {**json.loads(lines[1]), "probabilities": {"news": 0.5, "sport": 0.5}}
    changed.write_text("\n".join([lines[0], json.dumps(other), *lines[2:]]), encoding="utf-8")
    assert audit.replace(model=audit.model.replace(source=str(changed))).key != audit.key
    assert audit.replace(model=audit.model.replace(source=str(tmp_path / "none"))).key != audit.key


def test_answers_that_do_not_answer_the_questions_are_refused(
    leaking: tuple[Experiment, Result], tmp_path: Path, store: Store
) -> None:
    audit, context = leaking[0], RunContext(store=store)
    lines = Path(audit.model.as_dict()["source"]).read_text("utf-8").splitlines()
    part = tmp_path / "part.jsonl"
    part.write_text("\n".join(lines[:-2]), encoding="utf-8")
    with pytest.raises(
        InvalidAnswers, match=r"2 of 120 questions have no answer in part.jsonl: [0-9a-f]{16}, [0-9a-f]{16}\."
    ):
        run(audit.replace(model=audit.model.replace(source=str(part))), context)
    with pytest.raises(InvalidAnswers, match="have changed since these were asked"):
        run(audit.replace(seed=2), context)
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text("\n".join(lines).replace('"sport"', '"Sports"').replace('"news"', '"News"'), encoding="utf-8")
    with pytest.raises(InvalidAnswers, match=r"never names the class '(sport|news)'.*Did you mean '(Sports|News)'"):
        run(audit.replace(model=audit.model.replace(source=str(foreign))), context)


def test_answers_that_are_all_the_same_or_name_an_unknown_class_are_refused(
    leaking: tuple[Experiment, Result], prepared_audit: tuple[Path, Experiment, Any], store: Store
) -> None:
    folder, audit, questions = prepared_audit
    for same in ({"probabilities": {"sport": 0.5, "news": 0.5}}, {"label": "sport"}):
        uniform = answered(folder, audit, questions, lambda _, same=same: same, "uniform.jsonl")
        with pytest.raises(InvalidAnswers, match=r"All 120 answers in uniform\.jsonl are the same"):
            run(uniform, RunContext(store=store))
    lines = Path(leaking[0].model.as_dict()["source"]).read_text("utf-8").splitlines()
    lines[3] = json.dumps({**json.loads(lines[3]), "probabilities": {"sport": 0.4, "sports": 0.6}})
    (folder / "foreign.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(
        InvalidAnswers, match=r"Line 4 of .*: No document is of the class 'sports'\. Did you mean 'sport'"
    ):
        run(audit.replace(model=audit.model.replace(source=str(folder / "foreign.jsonl"))), RunContext(store=store))


def test_answers_that_exchange_classes_are_refused_with_the_names(
    prepared_audit: tuple[Path, Experiment, Any], rows: pd.DataFrame, store: Store
) -> None:
    folder, audit, questions = prepared_audit
    exchanged = {"sport": "news", "news": "sport"}
    tell = label(memorising(rows))
    audit = answered(folder, audit, questions, lambda text: {"label": exchanged[tell(text)["label"]]}, "turned.jsonl")
    with pytest.raises(
        InvalidAnswers, match=r"in 8 of 120 answers\. If '(news|sport)' is called .* it is in 112: their"
    ):
        run(audit, RunContext(store=store))


def test_the_briefing_holds_no_marks_and_a_guess_is_at_chance(
    leaking: tuple[Experiment, Result], shared_store: Store
) -> None:
    result, _ = run(leaking[0].replace(attack=Guessing()), RunContext(store=shared_store))
    at_chance(result)
    secret = result.tables["targets"]["member"].to_numpy()
    (briefing,) = Guessing.seen
    assert type(briefing.documents).__name__ == "Documents", "no marks"
    for array in reachable_arrays([briefing]):
        if array.shape == secret.shape and array.dtype.kind in "bif":
            assert abs(np.corrcoef(array, secret)[0, 1]) < 0.5


def test_classes_that_follow_the_marks_are_seen_by_the_blind_baseline(tmp_path: Path, store: Store) -> None:
    documents = table()
    documents["topic"] = np.where(documents["member"] == "in", "sport", "news")
    documents.loc[::7, "topic"] = "news"
    audit, questions = prepared(tmp_path, documents, "classifier", attack=ByClass())
    audit = answered(tmp_path, audit, questions, lambda text: {"probabilities": {"sport": len(text) / 999, "news": 0}})
    result, _ = run(audit, RunContext(store=store))
    assert result.estimates["auc_model_free"].low > 0.7
    assert not answer_plan.concluded("classifier", result.estimates).conclusive


@pytest.mark.parametrize(
    ("classes", "says"),
    [
        (None, "have no classes. Set 'label_column'"),
        ("sport", "All documents are of the class 'sport'"),
        (f"Confidential: {'x' * 90}", "of the class 'Confidential: x{26}…'. A classifier"),
        ("", "no class"),
    ],
)
def test_documents_without_classes_are_refused_before_anything_is_asked(
    tmp_path: Path, classes: str | None, says: str
) -> None:
    rows = table()
    if classes is None:
        del rows["topic"]
    else:
        rows.loc[rows.index[0 if classes == "" else slice(None)], "topic"] = classes
    with pytest.raises(Incompatible, match=says):
        prepared(tmp_path, rows, "classifier")


def test_owners_are_asked_about_as_a_whole(tmp_path: Path, store: Store) -> None:
    marks = [mark for owner in range(100) for mark in (("in", "out")[owner % 2],) * 2]
    rows = table(marks)
    rows["owner"] = [f"owner {number // 2}" for number in range(len(marks))]
    audit, questions = prepared(
        tmp_path, rows, "language_model", game={"part": "answers", "users": "owners", "targets": 25}
    )
    assert len(questions.texts) == 100
    model = Bigrams(rows[rows["member"] == "in"]["text"])
    result, _ = run(answered(tmp_path, audit, questions, model.tokens), RunContext(store=store))
    assert set(result.tables["targets"]["size"]) == {2} and result.estimates["auc"].value > 0.9
    assert result.estimates["queries"].value == 2


@pytest.mark.parametrize(
    ("form", "variants"),
    [("tokens", {"loss", "zlib_ratio", "min_k", "min_k_plus"}), ("total", {"loss", "zlib_ratio"})],
)
def test_what_a_language_model_has_memorised_is_found(
    rows: pd.DataFrame, inside: pd.DataFrame, tmp_path: Path, store: Store, form: str, variants: set[str]
) -> None:
    audit, questions = prepared(tmp_path, rows, "language_model")
    for learnt, leaks in ((inside, True), (rows[rows["member"] == ""], False)):
        tell = getattr(Bigrams(learnt["text"]), form)
        result, _ = run(answered(tmp_path, audit, questions, tell, f"{leaks}.jsonl"), RunContext(store=store))
        assert set(result.tables["roc"]["variant"]) == {"model_free", "log_probability_audit", *variants}
        if leaks:
            assert result.estimates["auc"].value > 0.9 and result.estimates["accuracy"].above_chance()
            assert "trained no model" in answer_plan.concluded("language_model", result.estimates).limits[1]
        else:
            at_chance(result)
