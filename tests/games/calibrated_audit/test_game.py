"""The audit by documents known to be out: what a model was trained on is found, a model without it is at chance."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.adversaries.known_outs import ComparedDocuments
from core.adversaries.neighbouring_sentences import pairs_of
from core.adversaries.own_sets import Sets
from core.audits import folder_plan, model_plan
from core.audits.model_verdict import answered_by, verdict
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games.calibrated_audit import CalibratedAudit
from core.report import build
from core.report.condition import inconclusive
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.games.reachable import reachable_arrays
from tests.held_networks import MARKS, brought_together, encoder, passages, taught, translations, translator

TABLES = {"encoder": (passages, {}), "translator": (translations, {"translation_column": "german"})}


def kept(folder: Path, kind: folder_plan.Kind) -> pd.DataFrame:
    rows = TABLES[kind][0]()
    rows.to_csv(folder / "marked.csv", index=False)
    return rows


@pytest.fixture(scope="module", params=["encoder", "translator"])
def held(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[folder_plan.Kind, Path]:
    """A base, a model trained from it on the documents that are in, and the documents."""
    kind, folder = request.param, tmp_path_factory.mktemp(request.param)
    inside = kept(folder, kind)[lambda rows: rows["member"] == "in"]
    if kind == "encoder":
        pairs = [pair for text in inside["text"] for pair in pairs_of(text)]
        brought_together(encoder(folder / "base"), pairs, folder / "mine")
    else:
        taught(translator(folder / "base"), list(zip(inside["text"], inside["german"], strict=True)), folder / "mine")
    return kind, folder


def audit(kind: folder_plan.Kind, folder: Path, source: str = "mine", base: str = "base", **changes: Any) -> Experiment:
    model = {"source": str(folder / source), "base": str(folder / base) if base else "", "context": 32}
    documents = {"source": str(folder / "marked.csv"), **TABLES[kind][1]}
    experiment = model_plan.experiment(kind, model, documents, folder_plan.PROFILES["smoke"])
    return experiment.replace(**changes)


@pytest.fixture(scope="module")
def audited(held: tuple[folder_plan.Kind, Path], shared_store: Store) -> Result:
    return run(audit(*held), RunContext(store=shared_store))[0]


def test_what_a_model_was_trained_on_is_found(held: tuple[folder_plan.Kind, Path], audited: Result) -> None:
    figures, attack = audited.estimates, audited.experiment["attack"]["part"]
    against = "similarity_gain" if held[0] == "encoder" else "reference"
    assert figures["auc"].value > 0.75 and figures["auc"].above_chance() and figures["accuracy"].above_chance()
    assert figures[f"auc_{against}"].above_chance() and not figures["auc_model_free"].above_chance()
    assert figures["known_outs"].value == MARKS.count("out") // 2 and figures["auc"].nonmembers == 32
    assert set(audited.tables["scores"]["variant"]) - {"model_free", attack} <= set(audit(*held).attack.variants)  # type: ignore[attr-defined]


def test_its_verdict_says_that_no_model_was_trained(audited: Result) -> None:
    sentences = " ".join(verdict(audited.estimates).lines)
    assert answered_by(audited.estimates) == "calibrated" and verdict(audited.estimates).conclusive
    assert "The answer is by the calibration on documents known to be out" in sentences
    assert (
        "trained no model" in sentences and "knew 32 documents to be out" in sentences and "had the base" in sentences
    )


def test_a_model_never_trained_on_the_documents_is_at_chance(
    held: tuple[folder_plan.Kind, Path], shared_store: Store, audited: Result
) -> None:
    context = RunContext(store=shared_store)
    null, _ = run(audit(*held, source="base"), context)
    measured = {name: figure for name, figure in null.estimates.items() if figure.chance is not None}
    beside = [name for name, figure in measured.items() if not figure.low <= figure.chance <= figure.high]
    assert len(beside) <= len(measured) // 10, "one interval of twenty excludes chance by accident"
    assert not {"auc", "accuracy", "auc_model_free", "auc_reference", "auc_similarity_gain"} & set(beside)
    assert "what its base gives it" in verdict(null.estimates).headline
    assert "nothing was fine-tuned" in inconclusive(null) and not inconclusive(audited)
    assert not context.trainings, "what the base gives serves another model"


def test_without_a_base_more_is_left_unexplained(held: tuple[folder_plan.Kind, Path], store: Store) -> None:
    kind, folder = held
    experiment = audit(kind, folder, base="")
    if kind == "translator":
        experiment = experiment.replace(attack=experiment.attack.replace(translates=False))
    result, _ = run(experiment, RunContext(store=store))
    assert result.estimates["auc"].above_chance()
    assert "had no base to compare with" in " ".join(verdict(result.estimates).limits)
    assert not {"auc_reference", "auc_similarity_gain", "auc_bleu"} & result.estimates.keys()


def test_the_key_is_that_of_the_content_not_of_the_path(held: tuple[folder_plan.Kind, Path], tmp_path: Path) -> None:
    kind, folder = held
    first = audit(kind, folder)
    copied = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert audit(kind, copied).key == first.key != audit(kind, folder, source="base").key
    assert audit(kind, copied, base="").key != first.key
    assert Experiment.parse(first.as_dict()) == first


def test_what_is_missing_is_refused_before_anything_is_read(
    held: tuple[folder_plan.Kind, Path], tmp_path: Path, store: Store
) -> None:
    kind, folder = held
    experiment = audit(kind, folder)
    with pytest.raises(InvalidSpec, match=r"is given\. Set 'source'"):
        run(experiment.replace(model=experiment.model.replace(source="")), RunContext(store=store))
    few = passages(["in", "out"] * 30)
    few.to_csv(tmp_path / "few.csv", index=False)
    documents = experiment.dataset.replace(source=str(tmp_path / "few.csv"), translation_column="")
    if kind == "translator":
        with pytest.raises(Incompatible, match="Set 'translation_column'"):
            run(experiment.replace(dataset=documents), RunContext(store=store))
        documents = documents.replace(translation_column="text")
    with pytest.raises(
        Incompatible, match=r"of those out, a random half, 15, as .* at least 39 documents in and 39 out:"
    ):
        run(experiment.replace(dataset=documents), RunContext(store=store))


def test_its_report_withholds_the_folders(
    held: tuple[folder_plan.Kind, Path], shared_store: Store, audited: Result
) -> None:
    evidence = str(build([audit(*held).key], shared_store))
    assert str(held[1]) not in evidence and "withheld" in evidence and "documents known to be out" in evidence


def test_the_secret_is_not_in_the_briefing(held: tuple[folder_plan.Kind, Path]) -> None:
    experiment = audit(*held)
    game, documents = experiment.game, experiment.dataset.load()
    assert isinstance(game, CalibratedAudit)
    drawn = game.draw(documents, experiment.seed)
    known, of_targets = set(drawn.outside.tolist()), {row for target in drawn.targets for row in target.documents}
    assert len(known) == 32 and not known & (of_targets | set(drawn.auxiliary.tolist()))
    assert {documents.members[row] for row in known} == {"out"}
    setup = type("Setup", (), {"model": experiment.model, "seed": experiment.seed})
    briefing = game._calibrated(documents, drawn, setup)  # type: ignore[arg-type]
    for array in reachable_arrays([briefing]):
        assert array.shape != drawn.member.shape or not np.array_equal(array.astype(bool), drawn.member)


def test_a_document_known_to_be_out_is_compared_with_the_others() -> None:
    rng = np.random.default_rng(0)
    columns = np.column_stack([np.ones(60), rng.normal(size=60)])
    values = 3 * columns[:, 1] + rng.normal(size=60) / 10
    values[5] += 5
    documents = [("text",)] * 60
    left = ComparedDocuments(documents[:20], documents[20:], np.ones(20, np.int64), Sets(40, 1)).beyond(values, columns)
    assert np.argmax(left) == 5 and left[5] > 20 and np.abs(np.delete(left, 5)).max() < 5
    others = np.delete(np.arange(20, 60), 10)
    scaled = np.column_stack([np.ones(60), (columns[:, 1] - columns[20:, 1].mean()) / columns[20:, 1].std()])
    fit = scaled[others].T @ scaled[others] + np.diag([0.0, 1.0])
    expected = scaled[30] @ np.linalg.solve(fit, scaled[others].T @ values[others])
    deviation = (values[30] - expected) / left[30]
    assert np.isclose(left[20:].std(), 1) and 0.08 < deviation < 0.13, "a fit without it leaves as much of it"


def test_owners_are_asked_about_as_a_whole(tmp_path: Path, store: Store) -> None:
    rows = passages(["in", "in", "out", "out"] * 60).assign(owner=[f"owner {number // 2}" for number in range(240)])
    rows.to_csv(tmp_path / "marked.csv", index=False)
    encoder(tmp_path / "mine")
    documents = {"source": str(tmp_path / "marked.csv"), "owner_column": "owner"}
    profile = folder_plan.PROFILES["smoke"]
    experiment = model_plan.experiment("encoder", {"source": str(tmp_path / "mine")}, documents, profile)
    result, _ = run(experiment, RunContext(store=store))
    assert set(result.tables["targets"]["size"]) == {2} and result.estimates["known_outs"].value == 60


def test_documents_too_short_for_a_beginning_are_audited_without_it(tmp_path: Path, store: Store) -> None:
    rows = passages(["in", "out"] * 40)
    rows["text"] = [" ".join(text.split()[:4]) for text in rows["text"]]
    rows.to_csv(tmp_path / "marked.csv", index=False)
    encoder(tmp_path / "mine")
    documents = {"source": str(tmp_path / "marked.csv")}
    profile = folder_plan.PROFILES["smoke"]
    experiment = model_plan.experiment("encoder", {"source": str(tmp_path / "mine")}, documents, profile)
    result, _ = run(experiment, RunContext(store=store))
    assert "auc_similarity" in result.estimates and "auc_beginning" not in result.estimates
