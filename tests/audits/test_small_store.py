"""The audit of a small store: the pairs that were used are named, and of random vectors nothing seems to be read."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.audits import plan
from core.audits.verdict import verdict
from core.datasets.embeddings import Embeddings
from core.encoders.records import DEFAULT
from core.result import Estimate
from tests.audits.verdict_figures import SMALL, figures
from tests.encoders.tiny import tiny


def test_the_pairs_that_were_used_are_named() -> None:
    pairs, words, *_ = plan.steps(Embeddings(source="x"), None, SMALL, DEFAULT)
    assert f"has up to {SMALL.pairs} texts with their vectors" in pairs.title
    few, fewer = ({**figures(0.5, 0.4), "queries": Estimate.queries(count, "")} for count in (27, 30))
    conclusion = verdict([(pairs, few), (words, fewer)])
    assert "has 27 texts with their vectors and runs" in conclusion.headline
    assert "has 30 texts with their vectors, and no encoder of its own," in conclusion.findings[1]
    assert "up to" not in "".join(conclusion.lines)


def test_of_random_vectors_nothing_is_shown_to_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(0)
    usual = "the and food service great was place very good bad nice room staff clean slow fast cold hot price menu"
    texts = [
        " ".join([*draw.choice(usual.split(), 8, replace=False), ("Ann", "Bob")[draw.integers(2)]]) for _ in "x" * 60
    ]
    (tmp_path / "x.csv").write_text("\n".join(["text", *texts]))
    np.save(tmp_path / "x.npy", draw.standard_normal((60, 32)).astype(np.float32))
    monkeypatch.setattr(plan, "_FORMATS", ())
    monkeypatch.setattr(plan, "own_encoder", lambda _: str(tiny(tmp_path / "encoder")))
    arguments = ["--texts", str(tmp_path / "x.csv"), "--profile", "smoke", "--json"]
    assert main(["audit", "vectors", str(tmp_path / "x.npy"), *arguments]) == 0
    report = json.loads(capsys.readouterr().out)
    judged = {
        f"{attack['name']} {name}": Estimate(**figure)
        for attack in report["attacks"]
        for name, figure in attack["estimates"].items()
        if name.partition("_")[0] in ("f1", "recall", "precision")
    }
    assert not [name for name, figure in judged.items() if figure.above_chance()]
    words = next(attack["estimates"] for attack in report["attacks"] if attack["name"] == "words")
    assert words["recall_names"]["value"] > 0.5, "the two names are frequent, so they are named whoever is read"
    assert any(line.startswith("None of these attacks is shown to read words") for line in report["said"])
    assert any(line.startswith("Names") and "not shown to be above chance" in line for line in report["said"])
    assert any("has 30 texts with their vectors, and no encoder of its own" in line for line in report["said"])
