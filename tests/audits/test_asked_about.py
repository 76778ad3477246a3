"""Audits about owners say owners, and how those are treated who have documents in and documents out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core import report
from core.__main__ import main
from core.audits.asked_about import AskedAbout, near_copies, planned
from core.audits.model_verdict import verdict
from core.errors import Incompatible
from core.experiment import run
from core.overrides import overridden
from core.result import Estimate, Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.dashboard.samples import PROVENANCE
from tests.games.answers.asked import memorising, table
from tests.games.audit import marked


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
    assert about_owners.limits[1].startswith("2 owners are drawn as a target on each side")
    assert verdict(figures, lambda *_: ()).headline == about_owners.headline.replace("owner", "document")


def test_near_copies_of_documents_in_are_named_before_counted_after_and_handed_on(tmp_path: Path, store: Store) -> None:
    rows = marked.table(["in", "out", "in"] * 40)
    for row in range(1, 20, 3):
        rows.loc[row, "text"] = f"as said {rows.loc[row - 1, 'text']}"
    audit = marked.experiment(tmp_path, rows)
    audit = audit.replace(attack=audit.attack.replace(shadow_pairs=5))
    _, named = planned(audit, audit.dataset.load()).announced
    result, _ = run(audit, RunContext(store=store))
    assert (result.estimates["near_copies"].value, result.estimates["near_copies"].n) == (7, 40)
    counted = AskedAbout.of(result).copied
    assert counted.startswith("Of the 40 documents out in question, 7 share at least half of their runs of six words")
    assert "and may pass for members. So more may leak than is shown" in counted
    assert "Set 'near_copies' to 'left out'" in counted
    counted_rows = "rows 2, 5, 8, 11, 14 and 2 more of the file, counted from 1 without its header"
    assert named == counted.replace("members.", f"members: {counted_rows}.")
    without = audit.replace(dataset=audit.dataset.replace(near_copies="left out"))
    assert len(planned(without, without.dataset.load()).announced) == 1, "who does as it says has none left"
    (evidence,) = report.build([audit.key], store)["results"]
    assert evidence["power"][-1] == counted.replace("Of the", "of the")
    assert counted in verdict(result.estimates, None, AskedAbout.of(result)).limits
    one, none = (
        replace(result, estimates={"near_copies": Estimate.counted(count, "documents", "Near copies.", of=40)})
        for count in (1, 0)
    )
    sentence = "1 shares at least half of its runs of six words with documents in, and may pass for a member."
    assert sentence in AskedAbout.of(one).copied and not AskedAbout.of(none).copied
    assert near_copies(none) == [
        "none of the 40 documents out in question shares half of its runs of six words with documents in."
    ]
    assert near_copies(replace(result, estimates={})) == [], "what did not count says nothing"


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
        and "are drawn as a target on each side" in message
    )
    first, *questions = map(json.loads, Path("asked.jsonl").read_text("utf-8").splitlines())
    names = memorising(rows[rows["member"] == "in"]).predict([each["text"] for each in questions])
    lines = [{"id": each["id"], "label": str(name)} for each, name in zip(questions, names, strict=True)]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, [{"questions": first["questions"]}, *lines])))
    assert main(["audit", "answer", "asked.jsonl", "answers.jsonl", "--json", "--owners", "owners.json"]) == 0
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert "interval resamples its owners" in facts["estimates"]["auc"]["help"]
    sentence = next(line for line in facts["said"] if "drawn as a target on each side" in line)
    assert sentence in message
    assert "has one score" in printed.err
    (evidence,) = report.build([facts["key"]], Store())["results"]
    assert evidence["power"][-1] == sentence
    owners = json.loads(Path("owners.json").read_text("utf-8"))
    assert {each["outs"] for each in owners} == {facts["estimates"]["auc"]["nonmembers"]}


def test_near_copies_are_left_to_stay_where_too_few_documents_would_remain(tmp_path: Path) -> None:
    letter = " ".join(marked.VOCABULARY[:30])
    rows = marked.table(["in", "out"] * 60)
    rows["text"] = [f"{letter} {word}" for word in marked.VOCABULARY[:120]]
    audit = marked.experiment(tmp_path, rows)
    announced = planned(audit, audit.dataset.load()).announced
    assert "30 share at least half of their runs" in announced[1] and "near_copies" not in announced[1]
    without = audit.replace(dataset=audit.dataset.replace(near_copies="left out"))
    with pytest.raises(Incompatible) as refused:
        planned(without, without.dataset.load())
    said = "60 documents are marked in and 60 out. Left out as near copies of others in are 60 of those in and 60 of "
    assert str(refused.value).startswith(f"{said}those out, which leaves 0 documents in and 0 out. Of those in")
    assert "Set 'near_copies' to 'kept'" in str(refused.value)
    assert refused.value.fits == {"dataset.near_copies": "kept"}
    kept = overridden(without, refused.value.fits)
    assert planned(kept, kept.dataset.load()).announced == announced
    of_all = Result(audit.as_dict(), {"near_copies": Estimate.counted(60, "documents", "", of=60)}, PROVENANCE, {})
    assert AskedAbout.of(of_all).copied and "near_copies" not in AskedAbout.of(of_all).copied


@pytest.mark.parametrize("owners", [0, 80])
def test_documents_out_that_are_nearly_documents_in_are_named_before_an_audit(owners: int, tmp_path: Path) -> None:
    rows = marked.table(["in", "out", "in", ""] * 40, owners=owners)
    game = {"users": "owners"} if owners else {}
    audit = marked.experiment(tmp_path, rows, game={"part": "audit", **game})
    documents = audit.dataset.load()

    def said(copies: dict[int, str]) -> list[str]:
        texts = tuple(copies.get(row, text) for row, text in enumerate(documents.texts))
        lines = planned(audit, replace(documents, texts=texts)).announced
        return [line for line in lines if "runs of six words" in line]

    inside, unmarked = documents.texts[2], documents.texts[3]
    words, other = inside.split()[16:], documents.texts[9].split()[16:]
    assert not said({}) and not said({5: f"{unmarked} besides"}), "nobody knows that the model was trained on it"
    assert not said({5: " ".join([*words, *other[:10]])}), "9 of its 19 runs are those of a document in"
    assert said({5: " ".join([*words, *other[:9]])}), "9 of 18 are half"
    (one,) = said({5: f"{inside} besides"})
    assert one.startswith("Of the 40 documents out in question, 1 shares at least half of its runs")
    assert "a member: row 6 of the file, counted from 1 without its header. So more" in one
    (many,) = said({row: f"{inside} {row}" for row in range(1, 29, 4)})
    assert "7 share" in many and "rows 2, 6, 10, 14, 18 and 2 more of" in many
