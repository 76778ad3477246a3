"""Owners and how exposed they are: the one who leaks comes first, one of chance has an interval around it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.__main__ import main
from core.audits import answer_plan
from core.audits.exposed_owners import FEWEST, exposed_owners
from core.audits.model_plan import PROFILES
from core.errors import Incompatible
from core.experiment import Experiment
from core.report import build, rendered, verify
from core.report.verification import UNCHECKED
from core.result import Result
from core.runtime.store import Store
from core.text.marked import MarkedDocuments
from tests.dashboard.samples import PROVENANCE
from tests.games.answers.asked import memorising, table

OWNERS = ("ann", "bob", "eve")


def audit(users: str = "documents") -> Experiment:
    documents = {"source": "/nowhere.csv", "label_column": "topic"}
    experiment = answer_plan.experiment("classifier", documents, PROFILES["smoke"])
    return experiment.replace(game=experiment.game.replace(users=users))


def played(users: str, owners: list[str], member: list[bool], score: list[float]) -> tuple[Result, MarkedDocuments]:
    """Return a result of one target an owner's document, or one an owner."""
    rows = [[row] for row in range(len(owners))]
    if users == "owners":
        rows = [[2 * FEWEST * row + each for each in range(2 * FEWEST)] for row in range(len(owners))]
    numbers = np.arange(len(owners), dtype=np.int32)
    targets = pd.DataFrame({"target": numbers, "documents": rows, "member": member})
    scores = pd.DataFrame({"variant": "classifier_audit", "target": numbers, "member": member, "score": score})
    of_row = [owner for owner, held in zip(owners, rows, strict=True) for _ in held]
    marks = ["in" if is_in else "out" for is_in, held in zip(member, rows, strict=True) for _ in held]
    documents = MarkedDocuments(tuple(map(str, range(len(of_row)))), tuple(of_row), members=tuple(marks))
    return Result(audit(users).as_dict(), {}, PROVENANCE, {"targets": targets, "scores": scores}), documents


def test_whose_documents_leak_comes_first_and_who_has_few_is_left_out() -> None:
    rng = np.random.default_rng(0)
    owners = [*("ann",) * 12, *("bob",) * 12, *("eve",) * (FEWEST - 1), *("out",) * 60]
    member = [owner != "out" for owner in owners]
    score = [rng.normal() + 2.5 * (owner == "ann") for owner in owners]
    exposed = exposed_owners(audit(), *played("documents", owners, member, score))
    assert exposed["owner"].tolist() == ["ann", "bob"] and exposed["documents"].tolist() == [12, 12]
    assert exposed["low"][0] > 0.7 and exposed["low"][1] < 0.5 < exposed["high"][1]
    assert (exposed["low"] <= exposed["ahead"]).all() and (exposed["ahead"] <= exposed["high"]).all()


def test_intervals_of_owners_hold_chance_as_often_as_they_say() -> None:
    rng, beside = np.random.default_rng(1), 0
    for _ in range(40):
        owners = [*("ann",) * 8, *("bob",) * 8, *("out",) * 40]
        result, documents = played(
            "documents", owners, [name != "out" for name in owners], rng.normal(size=56).tolist()
        )
        exposed = exposed_owners(audit(), result, documents)
        beside += int(((exposed["low"] > 0.5) | (exposed["high"] < 0.5)).sum())
    assert beside == 6, "of 80 intervals about 4 exclude chance, and few documents make it some more"


def test_owners_asked_about_as_a_whole_are_compared_with_the_owners_out() -> None:
    owners = [*OWNERS, *(f"out {number}" for number in range(20))]
    score = [5.0, 0.1, -5.0, *np.linspace(-1, 1, 20)]
    exposed = exposed_owners(audit("owners"), *played("owners", owners, [name in OWNERS for name in owners], score))
    assert exposed["owner"].tolist() == ["ann", "bob", "eve"]
    assert exposed["ahead"].tolist() == pytest.approx([1.0, 0.55, 0.0]) and exposed["low"][0] == pytest.approx(
        0.05 ** (1 / 20)
    )


def test_an_owner_asked_about_as_a_whole_is_off_chance_in_four_of_five_places_among_those_out() -> None:
    inside, outside = [f"in {number}" for number in range(101)], [f"out {number}" for number in range(100)]
    score = [*(np.arange(101) - 0.5).tolist(), *map(float, range(100))]
    result, documents = played("owners", [*inside, *outside], [True] * 101 + [False] * 100, score)
    exposed = exposed_owners(audit("owners"), result, documents)
    beside = int(((exposed["low"] > 0.5) | (exposed["high"] < 0.5)).sum())
    assert beside == 80, "the single score of an owner who leaks nothing is as likely at any place"


def test_without_owners_it_is_refused() -> None:
    result, documents = played("documents", ["a"] * 40, [True] * 20 + [False] * 20, [0.0] * 40)
    nobody = MarkedDocuments(documents.texts, members=documents.members)
    with pytest.raises(Incompatible, match="Set 'owner_column'"):
        exposed_owners(audit(), result, nobody)


def test_the_command_writes_them_and_the_report_names_them_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = table(["in", "out", "in", "out"] * 50).assign(who=[f"person {number % 10}" for number in range(200)])
    rows.to_csv("documents.csv", index=False)
    model = memorising(rows[rows["member"] == "in"])
    columns = ["--set=label_column=topic", "--set=owner_column=who", "--set=users=documents", "--profile=smoke"]
    given = ["audit", "ask", "classifier", "--documents", "documents.csv", *columns, "-o", "questions.jsonl"]
    assert main(given) == 0
    first, *questions = map(json.loads, Path("questions.jsonl").read_text("utf-8").splitlines())
    names = model.predict([each["text"] for each in questions])
    lines = [{"id": each["id"], "label": str(name)} for each, name in zip(questions, names, strict=True)]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, [{"questions": first["questions"]}, *lines])))
    capsys.readouterr()
    assert main(["audit", "answer", "questions.jsonl", "answers.jsonl", "--json", "--owners", "owners.json"]) == 0
    key = json.loads(capsys.readouterr().out)["key"]
    owners = json.loads(Path("owners.json").read_text("utf-8"))
    assert owners and {"owner", "documents", "outs", "ahead", "low", "high"} == owners[0].keys()
    assert all(owner["documents"] >= FEWEST and owner["owner"].startswith("person ") for owner in owners)
    assert "person " not in str(build([key], Store()))
    named = build([key], Store(), texts=True)
    assert "person " in str(named)
    Path("documents.csv").rename("moved.csv")
    elsewhere = verify(rendered(named, ".html"), Store())
    assert (elsewhere.status, "the owners" in elsewhere.lines[-1]) == (UNCHECKED, True), elsewhere.lines
    Path("moved.csv").rename("documents.csv")
    assert main(["audit", "answer", "questions.jsonl", "answers.jsonl", "--owners", "owners.txt"]) == 1
    assert "must end in .json" in capsys.readouterr().err
