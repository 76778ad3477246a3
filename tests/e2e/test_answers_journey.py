"""A model that may only be asked: documents up, questions down, answers up with a mistake, then the verdict."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import downloaded, main, opened, settled, unfold
from tests.games.answers.asked import memorising, probabilities, table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.exhaustive,  # tests/dashboard/model_audit/test_answers.py does the same without a browser
]

_ROWS = table(["in", "out"] * 45)
"""Of which the 23 out in question are few enough for an audit of a minute."""


def test_answers_are_given_by_upload_and_the_verdict_follows(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/model_audit")
    settled(page)
    unfold(page, "Audit a model by its answers")
    _give(page, "Documents to ask about", "mine.csv", _ROWS.to_csv(index=False))
    expect(main(page).get_by_text("have no classes")).to_be_visible()
    page.get_by_role("combobox", name="Column of the classes").click()
    page.get_by_role("option", name="topic").click()
    download = downloaded(page, main(page).get_by_role("button", name="46 questions"))
    download.save_as(tmp_path / "questions.jsonl")
    first, *questions = map(json.loads, (tmp_path / "questions.jsonl").read_text().splitlines())

    tell = probabilities(memorising(_ROWS[_ROWS["member"] == "in"]))
    answers = [{"id": question["id"], **tell(question["text"])} for question in questions]
    wrong = {**answers[4], "probabilities": {"sport": 7.0}}
    _give(page, "The answers", "answers.jsonl", _written(first, [*answers[:4], wrong, *answers[5:]]))
    expect(main(page).get_by_text(re.compile(r"Line 6\b")).first).to_be_visible()
    _give(page, "The answers", "answers.jsonl", _written(first, answers))
    main(page).get_by_test_id("stBaseButton-primary").click()
    expect(main(page).get_by_text(re.compile("Blind baseline: a classifier of the documents alone"))).to_be_visible()
    expect(main(page).get_by_text("trained logistic regressions of words").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"view\.answers="))


def _written(first: dict[str, str], answers: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, [{"questions": first["questions"]}, *answers]))


def _give(page: Page, label: str, name: str, content: str) -> None:
    settled(page)
    field = main(page).get_by_test_id("stFileUploader").filter(has_text=label)
    file = {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    field.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
