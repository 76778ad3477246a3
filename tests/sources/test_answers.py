"""Questions and answers: any order is read alike; what is missing, double, malformed or foreign is named by line."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InvalidAnswers
from core.sources.answers import answers, questions
from core.sources.answers.answers import Answers
from core.sources.answers.forms import Kind
from core.sources.answers.questions import Questions, id_of
from core.sources.answers.schema import schema
from tests.errands import ROOT

ASKED = Questions.about("classifier", [f"text {number}" for number in range(12)], {"seed": 1}, ["a", "b"])
FIRST = {"questions": ASKED.checksum}
LINES = [{"id": name, "probabilities": {"a": 0.5, "b": number / 24}} for number, name in enumerate(ASKED.texts)]
ID = "0" * 16
each = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(path: Path, lines: Sequence[Any]) -> Path:
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return path


def read(path: Path, *lines: Any, kind: Kind = "classifier") -> Answers:
    answers._read.cache_clear()  # files of one size follow each other within a tick of the clock
    return answers.read(written(path / "given.jsonl", lines), kind)


@each
@given(order=st.permutations(range(13)), blanks=st.integers(0, 5), ending=st.sampled_from([b"", b"\r\n", b"\n\n"]))
def test_any_order_says_the_same(tmp_path: Path, order: list[int], blanks: int, ending: bytes) -> None:
    lines = [[FIRST, *LINES][number] for number in order]
    read_again = read(tmp_path, *[b"  "] * blanks, *lines, ending)
    read_again.check(ASKED.checksum, ASKED.texts)
    assert read_again.missing(ASKED.texts) == []
    assert read_again.digest == read(tmp_path, FIRST, *LINES).digest
    assert {name: answer.packed for name, answer in read_again.by_id.items()} == {
        line["id"]: line["probabilities"] for line in LINES
    }
    changed = [{**LINES[0], "probabilities": {"a": 0.25}}, *LINES[1:]]
    assert read(tmp_path, FIRST, *changed).digest != read_again.digest


@each
@given(kept=st.sets(st.integers(0, 11), min_size=1))
def test_what_is_missing_is_what_was_left_out(tmp_path: Path, kept: set[int]) -> None:
    incomplete = read(tmp_path, *(LINES[number] for number in kept), FIRST)
    assert incomplete.missing(ASKED.texts) == [line["id"] for number, line in enumerate(LINES) if number not in kept]
    rest = list(ASKED.written(incomplete.missing(ASKED.texts)))
    assert rest[0] == next(ASKED.written()), "the first line stays"
    assert [json.loads(line)["id"] for line in rest[1:]] == incomplete.missing(ASKED.texts)


@each
@given(twice=st.integers(0, 11), position=st.integers(0, 12))
def test_a_second_answer_is_named_with_the_first(tmp_path: Path, twice: int, position: int) -> None:
    lines: list[Any] = [FIRST, *LINES]
    lines.insert(position + 1, LINES[twice])
    first, second = (number for number, line in enumerate(lines, 1) if line == LINES[twice])
    with pytest.raises(
        InvalidAnswers, match=rf"^Line {second} of given.jsonl: Line {first} answers {LINES[twice]['id']}"
    ):
        read(tmp_path, *lines)


@each
@given(malformed=st.sets(st.integers(0, 11), min_size=1, max_size=8), junk=st.binary(max_size=40))
def test_malformed_lines_are_named_the_first_five_of_them(tmp_path: Path, malformed: set[int], junk: bytes) -> None:
    broken = b"{" + junk.replace(b"\n", b"").replace(b"\r", b"")
    lines: list[Any] = [FIRST, *(broken if number in malformed else line for number, line in enumerate(LINES))]
    with pytest.raises(InvalidAnswers) as refused:
        read(tmp_path, *lines)
    named = [int(number) for number in re.findall(r"Line (\d+) of", str(refused.value))]
    assert named == sorted(number + 2 for number in malformed)[:5]
    assert (len(malformed) > 5) == ("more line" in str(refused.value))


@each
@given(
    content=st.lists(
        st.one_of(st.binary(max_size=30), st.sampled_from(LINES).map(lambda line: json.dumps(line).encode())),
        max_size=8,
    )
)
def test_anything_is_read_or_refused(tmp_path: Path, content: list[bytes]) -> None:
    path = tmp_path / "any.jsonl"
    path.write_bytes(b"\n".join(content))
    answers._read.cache_clear()
    for reader in (lambda: answers.read(path, "classifier"), lambda: questions.read(path)):
        try:
            reader()
        except InvalidAnswers as refusal:
            assert len(str(refusal)) < 2_200


@pytest.mark.parametrize(
    ("kind", "line", "says"),
    [
        ("classifier", {"id": ID, "probability": {}}, "no field 'probability'. Did you mean 'probabilities'"),
        ("classifier", {"id": ID}, "It has id. An answer has id, probabilities; or id, label"),
        ("classifier", {"id": ID, "label": "a", "probabilities": {"a": 1.0}}, "An answer has"),
        ("classifier", {"id": "7", "label": "a"}, "id: String should match pattern"),
        ("classifier", {"id": ID, "label": 3}, "label: Input should be a valid string. Got '3'"),
        ("classifier", {"id": ID, "probabilities": {"a": 0.9, "b": 0.3}}, "The probabilities are 1.2 together"),
        ("classifier", {"id": ID, "probabilities": {"a": "0.9"}}, "probabilities.a: Input should be a valid number"),
        ("classifier", {"id": ID, "probabilities": {"a": True}}, "probabilities.a"),
        ("classifier", {"id": ID, "probabilities": {}}, "at least 1 item"),
        ("language_model", {"id": ID, "logprobs": [0.5]}, "logprobs.0: Input should be less than"),
        ("language_model", {"id": ID, "logprobs": [None]}, "No token has a log-probability"),
        ("language_model", {"id": ID, "logprobs": [-1.0, None]}, "Token 2 has no log-probability"),
        ("language_model", {"id": ID, "logprob": -3.0}, "It has id, logprob"),
        ("language_model", {"id": ID, "logprob": -3.0, "tokens": 0}, "tokens: Input should be greater"),
        ("language_model", {"id": ID, "logprobs": [-1], "means": [-1, -1], "deviations": [1]}, "equally long"),
        ("language_model", {"id": ID, "logprobs": [-1], "means": [None], "deviations": [1]}, "Token 1 has some of"),
        ("classifier", {"id": ID, "probabilities": {"a": 93.0, "b": 7.0}}, "100 together and look like percents"),
        ("classifier", {"id": ID, "probabilities": {"a": -0.1, "b": -2.4}}, "look like natural logarithms: take e to"),
        ("classifier", {"id": "sport", "label": ID}, f"look exchanged: the id is '{ID}', and 'label' is 'sport'"),
        ("language_model", {"id": ID, "logprob": 12.0, "tokens": -40}, "'logprob' and 'tokens' look exchanged"),
        ("language_model", {"id": ID, "logprob": 33.5, "tokens": 12}, "put a minus before it, as in -33.5"),
        ("language_model", {"id": ID, "logprob": 10**400, "tokens": 12}, "logprob: Input should be a valid number"),
        ("language_model", {"id": ID, "logprobs": [0.5, 0.25]}, "look like probabilities: take the natural logarithm"),
        ("embeddings", {"id": ID, "embedding": [1e300]}, "too large a number"),
        ("embeddings", {"id": ID, "embedding": []}, "at least 1 item"),
        ("embeddings", [1, 2], "It is no object of JSON"),
        ("embeddings", b'{"id": NaN}', "NaN at column 8 is no number of JSON. Write a finite number"),
        ("embeddings", b'{"id": "\xc3\xa4", "embedding": [-Infinity]}', "Infinity at column 29 is no number"),
        ("embeddings", b'{"id": 1', "It is no JSON: EOF while parsing an object at column 8."),
        ("embeddings", b'{"id": "\xff"}', "It is no JSON"),
        ("embeddings", b"[" * 5000, "It is no JSON"),
    ],
)
def test_each_mistake_is_said_in_words(tmp_path: Path, kind: Kind, line: Any, says: str) -> None:
    with pytest.raises(InvalidAnswers, match=re.escape(says)) as refused:
        read(tmp_path, FIRST, line, kind=kind)
    assert str(refused.value).startswith("Line 2 of given.jsonl: ")


def test_answers_have_one_form_and_one_length(tmp_path: Path) -> None:
    label = {"id": ID, "label": "a"}
    with pytest.raises(InvalidAnswers, match=r"Line 3 .* the likeliest class; line 2 gives probabilities of classes"):
        read(tmp_path, FIRST, LINES[0], label)
    with pytest.raises(InvalidAnswers, match=r"Line 2 .* of 1 dimensions, line 1 one of 2"):
        read(
            tmp_path,
            {"id": ID, "embedding": [1, 2]},
            {"id": "1" * 16, "embedding": [1]},
            FIRST,
            kind="embeddings",
        )


def test_answers_name_their_questions(tmp_path: Path) -> None:
    with pytest.raises(InvalidAnswers, match=r"No line of given.jsonl names the questions"):
        read(tmp_path, *LINES)
    with pytest.raises(InvalidAnswers, match=r"Lines 1 and 2 of given.jsonl name different questions"):
        read(tmp_path, FIRST, {"questions": "0" * 64}, *LINES)
    with pytest.raises(InvalidAnswers, match="holds no answer"):
        read(tmp_path, FIRST)
    read(tmp_path, FIRST, *LINES[:6], FIRST, *LINES[6:])
    other = Questions.about("classifier", ["else"], {})
    with pytest.raises(InvalidAnswers, match="have changed since these were asked"):
        read(tmp_path, FIRST, *LINES).check(other.checksum, other.texts)
    with pytest.raises(InvalidAnswers, match=f"Line 2 of given.jsonl: It answers {ID}, which is no question"):
        read(tmp_path, FIRST, {**LINES[0], "id": ID}).check(ASKED.checksum, ASKED.texts)


def test_lines_and_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sources.answers.lines.LONGEST", 200)
    with pytest.raises(InvalidAnswers, match=r"Line 2 of given.jsonl has more than 200 bytes"):
        read(tmp_path, FIRST, {"id": ID, "label": "a" * 200})
    monkeypatch.setattr("core.sources.user_files.LARGEST", 100)
    with pytest.raises(InvalidAnswers, match="At most 100 are read"):
        read(tmp_path, FIRST, *LINES)


def test_tokens_are_packed_as_arrays(tmp_path: Path) -> None:
    packed = read(tmp_path, FIRST, {"id": ID, "logprobs": [None, -2, -0.5]}, kind="language_model").by_id[ID].packed
    assert np.isnan(packed[0, 0]) and packed[0, 1:].tolist() == [-2, -0.5]
    total = read(tmp_path, FIRST, {"id": ID, "logprob": -3.0, "tokens": 4}, kind="language_model").by_id[ID].packed
    assert total.tolist() == [[-0.75] * 4]


def test_to_ask_again_asks_the_same(tmp_path: Path) -> None:
    again = Questions.about("classifier", reversed(list(ASKED.texts.values())), {"seed": 1}, ["b", "a", "a"])
    assert list(again.written()) == list(ASKED.written())
    other = Questions.about("language_model", ASKED.texts.values(), {"seed": 1})
    assert other.checksum != ASKED.checksum and list(other.texts) == list(ASKED.texts)
    path = tmp_path / "asked.jsonl"
    path.write_text("\n".join(ASKED.written()), encoding="utf-8")
    assert questions.read(path).texts == ASKED.texts
    assert questions.read(path).numbers[next(iter(ASKED.texts))] == 2


def test_changed_questions_are_refused_by_line(tmp_path: Path) -> None:
    lines = list(ASKED.written())
    changed = json.dumps({"id": id_of("text 3"), "text": "text 4"})
    path = tmp_path / "asked.jsonl"
    for written_lines, says in (
        ([*lines[:3], changed, *lines[4:]], "Line 4 of asked.jsonl: The text was changed"),
        ([*lines, lines[5]], "Line 14 of asked.jsonl: Line 6 is the same question"),
        (lines[:-1], "holds 11 of 12 questions"),
        (lines[1:], "is no file of questions"),
        (["", *lines[1:3]], "is no file of questions"),
    ):
        path.write_text("\n".join(written_lines), encoding="utf-8")
        with pytest.raises(InvalidAnswers, match=says):
            questions.read(path)


def test_the_schema_in_the_docs_is_that_of_the_readers() -> None:
    import jsonschema  # takes a second, which those pay that never come here

    published = json.loads((ROOT / "docs" / "answers.schema.json").read_text("utf-8"))
    assert published == schema(), "write it anew: python -m core audit schema > docs/answers.schema.json"
    validator = jsonschema.Draft202012Validator(published)
    for line in [*map(json.loads, ASKED.written()), FIRST, *LINES, {"id": ID, "logprob": -1.0, "tokens": 2}]:
        validator.validate(line)
    for line in (
        {"id": ID},
        {"id": "no", "label": "a"},
        {"id": ID, "logprobs": [1.0]},
        {"id": ID, "label": "a", "x": 1},
    ):
        assert not validator.is_valid(line)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (f"id,label\n{ID},sport\n", f'such as {{"id": "{ID}", "label": "sport"}} for the second row'),
        (f"id;score\n{ID};0.5\n", f'such as {{"id": "{ID}", "score": 0.5}} for the second row'),
        (f"{ID}\tsport", 'such as {"id": "…", "label": "…"}'),
        (f"id,a\rlabel\n{ID},sport", "Line 1 of answers.csv: It is no JSON"),
        (f"id,label\n{'x' * 200_000},sport", "It is 'id,label', a row of a table and no JSON"),
        (json.dumps([{"id": ID, "label": "sport"}]), "is one list of JSON"),
        (json.dumps([{"id": ID, "label": "sport"}], indent=1), "is one list of JSON"),
    ],
)
def test_a_file_of_another_format_is_refused_with_what_to_write(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "answers.csv").write_text(content, "utf-8")
    with pytest.raises(InvalidAnswers, match=re.escape(says)):
        answers.read(tmp_path / "answers.csv", "classifier")
    with pytest.raises(InvalidAnswers) as refused:
        questions.read(tmp_path / "answers.csv")
    assert "It is no JSON" in str(refused.value) or "'audit ask -o FILE' wrote" in str(refused.value)
    assert "such as" not in str(refused.value), "rows of a table never become questions"


@pytest.mark.parametrize(("base", "refused"), [(np.e, False), (10.0, True)])
def test_logarithms_to_base_ten_are_told_from_natural_ones(tmp_path: Path, base: float, refused: bool) -> None:
    rng, rows = np.random.default_rng(1), []
    for _ in range(200):
        shares = rng.dirichlet(np.full(30, 0.05))
        logs = np.log(shares + 1e-12) / np.log(base)
        mean = float(shares @ logs)
        rows.append((logs[rng.choice(30, p=shares)], mean, float(np.sqrt(shares @ (logs - mean) ** 2))))
    nats, means, deviations = np.round(np.array(rows).T, 2).tolist()
    line = {"id": ID, "logprobs": nats, "means": means, "deviations": deviations}
    if not refused:
        assert read(tmp_path, FIRST, line, kind="language_model").by_id
        return
    with pytest.raises(InvalidAnswers, match="To base 10 they would be possible: multiply all three by ln 10"):
        read(tmp_path, FIRST, line, kind="language_model")


def test_answers_in_the_place_of_questions_are_said_to_be_that(tmp_path: Path) -> None:
    read(tmp_path, FIRST, *LINES)
    with pytest.raises(InvalidAnswers, match="The questions are named first, then the answers"):
        questions.read(tmp_path / "given.jsonl")
