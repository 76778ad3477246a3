"""The audit of a language model: what it was trained on is found, and a model that never saw it is at chance."""

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core.access.own_language_models import OwnTextProbabilities, OwnTokenProbabilities
from core.audits.model_verdict import answered_by, verdict
from core.encoders.causal import CausalNetwork
from core.errors import Incompatible, InvalidSpec, ModelRefused, ModelUnavailable
from core.experiment import Experiment, run
from core.report import build
from core.report.condition import inconclusive
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.language_models import TRAINED, causal, documents, tuned

MARKS = ["in", "out", "in", ""] * 40
FREE = {"loss", "zlib_ratio", "lower_ratio", "min_k", "min_k_plus"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base, a model fine-tuned from it on the documents that are in, and the documents."""
    folder = tmp_path_factory.mktemp("audited")
    rows = documents(MARKS)
    rows.to_csv(folder / "marked.csv", index=False)
    tuned(causal(folder / "base"), rows[rows["member"] == "in"]["text"].tolist(), folder / "mine")
    return folder


def audit(folder: Path, source: str = "mine", base: str = "base", **changes: Any) -> Experiment:
    how = {"epochs": TRAINED.epochs, "batch": TRAINED.batch, "learning_rate": TRAINED.learning_rate, "context": 64}
    parts: dict[str, Any] = {
        "attack": {"part": "language_model_audit", "shadow_pairs": 3},
        "dataset": {"part": "marked_documents", "source": str(folder / "marked.csv")},
        "model": {"part": "own_language_model", "source": str(folder / source), **how},
    }
    parts["model"]["base"] = str(folder / base) if base else ""
    return Experiment.parse({**parts, **changes})


@pytest.fixture(scope="module")
def audited(folder: Path, shared_store: Store) -> Result:
    return run(audit(folder), RunContext(store=shared_store))[0]


def test_losses_and_standings_come_from_one_reading_with_the_same_bits(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = CausalNetwork(folder / "base", "cpu")
    texts = [[text] for text in documents(MARKS)["text"][:9]]
    plain, whole = OwnTextProbabilities(network, 64), OwnTokenProbabilities(network, 64)
    losses = plain.losses(texts)
    assert [row.tobytes() for row in whole.losses(texts)] == [row.tobytes() for row in losses]
    monkeypatch.setattr(network, "_read_batch", lambda *_: pytest.fail("a text is read twice"))
    assert [row[:, 0].tolist() for row in whole.standings(texts)] == [row.tolist() for row in losses]
    assert (plain.queries, whole.queries) == (9, 18)


def test_what_a_model_was_fine_tuned_on_is_found(audited: Result) -> None:
    figures = audited.estimates
    assert figures["auc"].value > 0.75 and figures["auc"].above_chance() and figures["accuracy"].above_chance()
    assert figures["auc_rmia"].above_chance() and figures["auc_min_k_plus"].above_chance()
    assert not figures["auc_model_free"].above_chance()
    assert figures["shadow_documents"].value == 80 and figures["cut_documents"].value == 0
    played = {"model_free", "language_model_audit", "reference", "rmia", "offline_ratio", *FREE}
    assert set(audited.tables["scores"]["variant"]) == played


def test_its_verdict_names_the_statistic_and_its_limits(audited: Result) -> None:
    conclusion = verdict(audited.estimates)
    text = " ".join(conclusion.lines)
    assert conclusion.conclusive and conclusion.lines[0].startswith("Blind baseline")
    assert "The answer is by the likelihood ratio, chosen before anything was measured" in text
    assert "RMIA 0." in text and "this one model" in text and "fine-tuned shadow models on 80 documents" in text


def test_another_statistic_is_above_chance_only_after_correction_for_their_number(audited: Result) -> None:
    def told(low: float) -> str:
        area = audited.estimates["auc_rmia"].model_copy(update={"value": 0.6, "low": low, "high": 0.7})
        text = " ".join(verdict({**audited.estimates, "auc_rmia": area}).lines)
        return text.partition("Above chance, corrected for their number: ")[2].partition(".")[0]

    assert "RMIA" in told(0.59) and "RMIA" not in told(0.501)


def test_a_model_never_trained_on_the_documents_is_at_chance(
    folder: Path, shared_store: Store, audited: Result
) -> None:
    context = RunContext(store=shared_store)
    null, _ = run(audit(folder, source="base"), context)
    for name, figure in null.estimates.items():
        if figure.chance is not None and "model_free" not in name:
            assert figure.low <= figure.chance <= figure.high, name
    conclusion = verdict(null.estimates)
    assert not conclusion.conclusive and "what its base gives it" in conclusion.headline
    assert "nothing was fine-tuned" in inconclusive(null) and not inconclusive(audited)
    assert not context.trainings, "the shadow models of the same base serve another model"


def test_without_a_base_the_answer_is_free_of_references(folder: Path, store: Store) -> None:
    result, _ = run(audit(folder, base=""), RunContext(store=store))
    assert set(result.tables["scores"]["variant"]) == {"model_free", "language_model_audit", *FREE}
    assert answered_by(result.estimates) == "unexplained" and "shadow_documents" not in result.estimates
    assert result.estimates["auc"].above_chance() and result.estimates["own_documents"].value == 80
    assert "The answer is by the Min-K% less what" in " ".join(verdict(result.estimates).findings)
    assert "neither the base nor shadow models" in " ".join(verdict(result.estimates).limits)


def test_without_shadow_models_the_base_is_compared_with(folder: Path, store: Store) -> None:
    experiment = audit(folder, attack={"part": "language_model_audit", "shadow_pairs": 0, "every_token": False})
    result, _ = run(experiment, RunContext(store=store))
    assert answered_by(result.estimates) == "reference"
    assert "auc_min_k_plus" not in result.estimates
    assert "no shadow models" in " ".join(verdict(result.estimates).limits)


def test_documents_longer_than_the_context_are_cut_and_counted(folder: Path, store: Store) -> None:
    experiment = audit(folder, base="")
    result, _ = run(experiment.replace(model=experiment.model.replace(context=8)), RunContext(store=store))
    cut = result.estimates["cut_documents"]
    assert cut.value == cut.n == 160
    assert "Of the 160 documents of the targets and of the adversary, 160 are longer than the context" in " ".join(
        verdict(result.estimates).limits
    )


def test_owners_are_asked_about_as_a_whole(folder: Path, tmp_path: Path, store: Store) -> None:
    rows = documents([mark for owner in range(100) for mark in (("in", "out")[owner % 2],) * 2], owners=100)
    rows.to_csv(tmp_path / "marked.csv", index=False)
    dataset = {"part": "marked_documents", "source": str(tmp_path / "marked.csv"), "owner_column": "owner"}
    experiment = audit(folder, base="", dataset=dataset, game={"users": "owners"})
    result, _ = run(experiment, RunContext(store=store))
    assert set(result.tables["targets"]["size"]) == {2}


def test_a_base_with_another_tokeniser_is_refused(folder: Path, tmp_path: Path, store: Store) -> None:
    experiment = audit(folder)
    other = experiment.model.replace(base=str(causal(tmp_path / "other", vocabulary=280)))
    with pytest.raises(Incompatible, match="other tokens"):
        run(experiment.replace(model=other), RunContext(store=store))


def test_the_key_is_that_of_the_content_not_of_the_path(folder: Path, tmp_path: Path) -> None:
    first = audit(folder)
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert audit(copied).key == first.key != audit(folder, source="base").key
    assert audit(copied, base="").key != first.key
    assert Experiment.parse(first.as_dict()) == first


def test_a_base_on_the_hub_is_read_from_its_cache(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    experiment = audit(folder)
    hub = experiment.replace(model=experiment.model.replace(base="org/base"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match="hub cannot be reached"):
        hub.model.alike()  # type: ignore[attr-defined]
    repository = tmp_path / "hub" / "models--org--base"
    commit = "a" * 40
    shutil.copytree(folder / "base", repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    hub.model.alike()  # type: ignore[attr-defined]
    assert hub.key == experiment.key, "the same files have the same key wherever they lie"


def test_what_cannot_be_read_is_refused_before_any_training(folder: Path, tmp_path: Path, store: Store) -> None:
    spoiled = Path(shutil.copytree(folder / "mine", tmp_path / "spoiled"))
    (spoiled / "tokenizer.json").unlink()
    experiment = audit(folder)
    with pytest.raises(ModelRefused, match="no tokeniser"):
        run(experiment.replace(model=experiment.model.replace(source=str(spoiled))), RunContext(store=store))
    with pytest.raises(InvalidSpec, match="No language model is given"):
        run(experiment.replace(model=experiment.model.replace(source="")), RunContext(store=store))
    with pytest.raises(InvalidSpec, match="must be 0, or at least 3"):
        experiment.attack.replace(shadow_pairs=2)


def test_its_report_withholds_the_folders(folder: Path, shared_store: Store, audited: Result) -> None:
    evidence = build([audit(folder).key], shared_store)
    assert str(folder) not in str(evidence) and "withheld" in str(evidence)
    assert pd.Series(audited.tables["figures"]["variant"]).nunique() == 10
