"""The command audit model: what it says before and after, and the status of a condition that holds."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.__main__ import main
from core.audits.model_plan import PROFILES, ModelProfile
from core.audits.model_verdict import verdict
from core.catalog import model_audit
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.games.audit.marked import MODEL, table, trained


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of a small audit, whose routine is smaller still."""
    monkeypatch.setitem(PROFILES, "routine", ModelProfile("routine", 30, 5))
    rows = table(["in", "out"] * 60)
    rows.to_csv(tmp_path / "marked.csv", index=False)
    trained(rows[rows["member"] == "in"]["text"].tolist(), tmp_path / "mine.txt")
    options = [f"--set={name}={value}" for name, value in MODEL.items()]
    return ["audit", "model", str(tmp_path / "mine.txt"), "--documents", str(tmp_path / "marked.csv"), *options]


def test_it_says_what_it_takes_finds_and_fails_on(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*given, "--json", "--fail-if", "accuracy.n > 10"]) == 3
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert "Profile routine: 30 targets in and 30 out, 10 shadow models" in printed.err
    assert "fulfils the condition accuracy.n > 10" in printed.err
    assert facts["conclusive"] is True and facts["estimates"]["auc"]["members"] == 30
    assert "mine.txt: 120 words of 12 dimensions (word2vec text)." in facts["said"]
    assert any(line.startswith("Blind baseline") for line in facts["said"])
    assert main(given) == 0
    assert f"python -m core report {facts['key']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--profile", "routin"], "Did you mean 'routine'"),
        (["--set", "epoch=3"], "Did you mean 'epochs'"),
        (["--set", "member_column=who"], "no column 'who'"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(
    given: list[str], capsys: pytest.CaptureFixture[str], extra: list[str], says: str
) -> None:
    assert main([*given, *extra]) == 1
    assert says in capsys.readouterr().err


def test_gensims_own_format_is_refused_with_two_lines(
    tmp_path: Path, given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.model").write_bytes(b"\x80\x04\x95 gensim.models.word2vec\x94\x8c\x08Word2Vec")
    assert main(["audit", "model", str(tmp_path / "mine.model"), *given[3:]]) == 1
    refusal, imported, saved = capsys.readouterr().err.splitlines()
    assert "mine.model holds a pickle" in refusal
    assert imported == "from gensim.models import Word2Vec"
    assert saved == "Word2Vec.load('mine.model').wv.save_word2vec_format('mine.bin', binary=True)"


def estimates(**changes: Any) -> dict[str, Estimate]:
    result = Result.load(Store(), model_audit.shipped().key)
    assert result is not None
    return {
        name: figure.model_copy(update=changes.get(name.replace(".", "_"), {}))
        for name, figure in result.estimates.items()
    }


def test_texts_that_tell_ins_from_outs_allow_no_conclusion() -> None:
    said = verdict(estimates(auc_model_free={"value": 0.9, "low": 0.85, "high": 0.95}))
    assert not said.conclusive
    assert said.headline.startswith("Nothing can be concluded about the model")
    assert "tells them apart" in said.lines[0]


def test_a_finding_at_chance_is_no_all_clear() -> None:
    said = verdict(estimates(auc={"value": 0.51, "low": 0.45, "high": 0.57}))
    assert "no proof of privacy: a leak of AUC 0.57 is within the interval" in said.headline


def test_without_enough_out_it_says_why_there_is_no_rate() -> None:
    figures = estimates()
    del figures["tpr_at_1pct_fpr"]
    assert "No true-positive rate at 1% is given" in " ".join(verdict(figures).findings)


def test_the_null_that_ships_holds_chance() -> None:
    _, null = model_audit.entries()
    result = Result.load(Store(), null.experiment.key)
    assert result is not None
    for name, figure in result.estimates.items():
        assert figure.chance is None or figure.low <= figure.chance <= figure.high, name
