"""What functions return is noted as it is, and a sentence that no test sees change is named."""

import doctest
import inspect
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests import said
from tests.prose import sentences, sentences_of
from tests.said import EXCEPTIONS, Record, complaints

ROOT = Path(__file__).parents[1]
SOURCE = '''
import warnings
from collections.abc import Iterator
from functools import wraps

def sentence(share: float, *, called: str = "The attack") -> str:
    """Say what was found.

    >>> sentence(0.4)
    'The attack finds nothing.'
    """
    return f"{called} finds {'a leak' if share > 0.5 else 'nothing'}."

def listed(shares: list[float]) -> list[str]:
    return [sentence(share) for share in shares]

def lines(shares: list[float]) -> Iterator[str]:
    for share in shares:
        yield sentence(share)

def absent(share: float) -> str | None:
    return sentence(share) if share > 0.5 else None

def warned() -> str:
    warnings.warn("A leak.", stacklevel=2)
    return ""

@wraps(sentence)
def remembered(share: float) -> str:
    return sentence(share)

def _hidden() -> str:
    return "Nothing to see."

def number() -> int:
    return 1
'''


@pytest.fixture
def record() -> Record:
    return Record()


@pytest.fixture
def module(record: Record) -> Any:
    """A module whose functions are replaced by such that note what they return."""
    module = ModuleType("planted")
    exec(SOURCE, vars(module))
    record.replace(module)
    return module


def counts(record: Record) -> dict[str, int]:
    return {name.removeprefix("planted."): len(texts) for name, texts in record.texts.items()}


def test_a_text_that_is_returned_twice_counts_once(module: Any, record: Record) -> None:
    assert module.sentence(0.1) == module.sentence(0.2) == "The attack finds nothing."
    assert counts(record) == {"sentence": 1}
    assert module.sentence(0.9) == "The attack finds a leak."
    assert counts(record) == {"sentence": 2}


def test_what_cannot_be_encoded_is_noted_too(module: Any, record: Record) -> None:
    assert module.sentence(0.1, called="\ud800").startswith("\ud800")
    assert counts(record) == {"sentence": 1}


def test_the_lines_of_a_list_are_one_text(module: Any, record: Record) -> None:
    assert module.listed([0.1, 0.9]) == ["The attack finds nothing.", "The attack finds a leak."]
    assert counts(record)["listed"] == 1
    module.listed([0.9, 0.1])
    assert counts(record)["listed"] == 2


def test_a_generator_is_no_less_lazy_and_noted_at_its_end(module: Any, record: Record) -> None:
    given = module.lines([0.1, 0.9])
    assert isinstance(given, Iterator) and not counts(record)
    assert next(given) == "The attack finds nothing." and counts(record) == {"sentence": 1}
    assert list(given) == ["The attack finds a leak."]
    assert counts(record)["lines"] == 1
    next(module.lines([0.1, 0.9]))
    assert counts(record)["lines"] == 2, "the first line alone is another text"


def test_a_sentence_that_is_left_out_has_changed(module: Any, record: Record) -> None:
    assert module.absent(0.1) is None
    assert module.absent(0.9) == "The attack finds a leak."
    assert counts(record)["absent"] == 2


def test_what_pages_ask_for_does_not_count(module: Any, record: Record) -> None:
    page = threading.Thread(target=module.sentence, args=(0.1,))
    page.start()
    page.join()
    assert counts(record).get("sentence", 0) == 0


def test_other_functions_stay_as_they_are(module: Any) -> None:
    assert {module._hidden.__code__.co_filename, module.number.__code__.co_filename} == {"<string>"}
    assert module.sentence.__code__.co_filename != "<string>"


def test_what_is_replaced_looks_as_it_did(module: Any) -> None:
    assert str(inspect.signature(module.sentence)) == "(share: float, *, called: str = 'The attack') -> str"
    assert module.sentence.__qualname__ == "sentence" and not hasattr(module.sentence, "__wrapped__")
    assert module.remembered.__wrapped__(0.1) == module.remembered(0.1) == "The attack finds nothing."
    (example,) = (found for found in doctest.DocTestFinder().find(module) if found.name == "planted.sentence")
    assert doctest.DocTestRunner().run(example) == (0, 1)
    with pytest.warns(UserWarning) as heard:
        module.warned()
    assert heard[0].filename == __file__, "warnings name who called the function, not what notes it"


def test_what_does_not_change_is_named_and_an_exception_only_where_it_is_needed() -> None:
    texts = {"a.changes": {1, 2}, "a.stays": {1}, "a.excused": {1}, "a.mended": {1, 2}}
    named = complaints([*texts, "a.uncalled"], texts, {"a.excused": "", "a.mended": "", "a.gone": ""})
    assert [line.partition(":")[0] for line in named] == ["a.stays", "a.uncalled", "a.gone", "a.mended"]
    assert "one text" in named[0] and "never called" in named[1]


def test_what_several_processes_have_noted_is_taken_together(record: Record) -> None:
    record.add({"a.sentence": [1]})
    record.add({"a.sentence": [1]})
    assert len(record.texts["a.sentence"]) == 1
    record.add({"a.sentence": [2]})
    assert len(record.texts["a.sentence"]) == 2


def test_the_exceptions_are_sentence_functions() -> None:
    assert set(EXCEPTIONS) <= sentences()


def test_functions_that_end_a_sentence_are_found() -> None:
    found = sentences_of("""
_END = "That is no proof of privacy."
def of_text() -> str: return "Nothing is found."
def of_lines() -> list[str]: return [f"{1} of {2} are found."]
def of_parts() -> str | None: return _helped()
def _helped() -> str: return _END
def name() -> str: return "an attack"
def part() -> str: return "which is above chance"
def count() -> int: return len("Nothing is found.")
def refused() -> str: raise ValueError("Nothing is found.")
def drawn() -> str: return st.selectbox("Which?", help="Nothing is found.")
""")
    assert found == {"of_text", "of_lines", "of_parts"}
    assert sentences_of('def part() -> str: return "which is above chance"', in_parts=True) == {"part"}


def test_the_sentences_of_pages_and_reports_are_found() -> None:
    found = sentences()
    assert len(found) > 240
    assert {
        "core.audits.model_verdict.leaks_beside",
        "core.report.condition.not_excluded",
        "core.statistics.ties.sentence",
        "dashboard.topics.overview.figures.leakage.sentence",
    } <= found


TEST = """
from dashboard.kit.figures.wording import is_or_are

def test_this_process_sees_one_text():
    assert is_or_are({count})
"""


def test_a_suite_in_which_a_sentence_does_not_change_fails(tmp_path: Path) -> None:
    """Of what two processes saw, the sentence that each saw in another form is not named."""
    for count in (1, 2):
        (tmp_path / f"test_{count}.py").write_text(TEST.format(count=count))
    (settings := tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = ["-c", settings, "-p", "tests.said", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile"]
    command = [sys.executable, "-m", "pytest", *options, "--each-sentence-changes", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "2 passed" in done.stdout and done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "dashboard.topics.overview.figures.leakage.sentence: never called" in done.stdout
    assert "EXCEPTIONS" in done.stdout
    assert "is_or_are:" not in done.stdout


@pytest.mark.parametrize(
    ("asked", "status", "judged"),
    [
        (True, pytest.ExitCode.OK, True),
        (False, pytest.ExitCode.OK, False),
        (True, pytest.ExitCode.TESTS_FAILED, False),
        (True, pytest.ExitCode.INTERRUPTED, False),
    ],
)
def test_a_run_is_judged_only_where_that_is_asked_and_all_tests_have_passed(
    asked: bool, status: pytest.ExitCode, judged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(said, "RECORD", Record())
    config = SimpleNamespace(getoption=lambda _: asked, stash=pytest.Stash())
    session: Any = SimpleNamespace(config=config, exitstatus=status)
    said.pytest_sessionfinish(session, status)
    assert (session.exitstatus != status) == judged


@pytest.mark.parametrize(("selected", "judged"), [("", True), ("-k accuracy", False)])
def test_the_verdict_is_that_of_the_whole_suite(selected: str, judged: bool) -> None:
    command = ["make", "--dry-run", "--old-file", ".venv/dev.stamp", "suite", f"ARGS={selected}"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ("--each-sentence-changes" in asked) == judged and selected in asked
