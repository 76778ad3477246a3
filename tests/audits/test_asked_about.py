"""Audits about owners say owners, and how those are treated who have documents in and documents out."""

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.audits.asked_about import AskedAbout
from core.audits.model_verdict import verdict
from core.result import Estimate
from tests.games.answers.asked import memorising, table


def figure(value: float, half: float = 0.05) -> Estimate:
    low, high = value - half, value + half
    return Estimate(value=value, low=low, high=high, chance=0.5, unit="share", members=60, nonmembers=60)


@pytest.mark.parametrize("auc", [0.8, 0.5, 0.4])
def test_sentences_about_owners_name_no_documents_as_what_is_told_apart(auc: float) -> None:
    figures = {"auc": figure(auc), "auc_model_free": figure(0.5), "accuracy": figure(auc)}
    about_owners = verdict(figures, lambda *_: (), AskedAbout("owner", 2))
    assert "document" not in about_owners.headline and "owners" in about_owners.headline
    assert "alone is not shown to tell them apart" in about_owners.findings[0]
    assert "resample its owners" in about_owners.limits[0]
    assert about_owners.limits[1].startswith(
        "2 owners have documents in and documents out, and are a target on each side"
    )
    assert verdict(figures, lambda *_: ()).headline == about_owners.headline.replace("owner", "document")


def test_owners_on_both_sides_are_counted_before_the_questions_and_in_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = table(["in", "out"] * 250).assign(who=[f"person {row // 10}" for row in range(500)])
    rows.to_csv("documents.csv", index=False)
    columns = ["--set=label_column=topic", "--set=owner_column=who", "--profile=smoke"]
    assert main(["audit", "ask", "classifier", "--documents", "documents.csv", *columns, "-o", "asked.jsonl"]) == 0
    message = capsys.readouterr().err
    assert (
        "owners in and" in message
        and "half of the 50 owners with documents in" in message
        and "owners have documents in and documents out" in message
    )
    first, *questions = map(json.loads, Path("asked.jsonl").read_text("utf-8").splitlines())
    names = memorising(rows[rows["member"] == "in"]).predict([each["text"] for each in questions])
    lines = [{"id": each["id"], "label": str(name)} for each, name in zip(questions, names, strict=True)]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, [{"questions": first["questions"]}, *lines])))
    assert main(["audit", "answer", "asked.jsonl", "answers.jsonl", "--json", "--owners", "owners.json"]) == 0
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert "interval resamples its owners" in facts["estimates"]["auc"]["help"]
    sentence = next(line for line in facts["said"] if "have documents in and documents out" in line)
    assert sentence in message
    assert "has one score" in printed.err
    owners = json.loads(Path("owners.json").read_text("utf-8"))
    assert {each["outs"] for each in owners} == {facts["estimates"]["auc"]["nonmembers"]}
