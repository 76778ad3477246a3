"""The command audit model: what it says before and after, and the status of a condition that holds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.__main__ import main
from core.audits import language_model_plan, model_plan
from core.audits.model_plan import PROFILES, ModelProfile, hyperparameters
from core.audits.model_verdict import verdict
from core.catalog import model_audit
from core.catalog.entry import Entry
from core.commands.experiments import failed
from core.commands.model_audit import audit
from core.datasets.marked_documents import OwnMarkedDocuments
from core.errors import InvalidSpec
from core.jobs import Jobs
from core.report.condition import Condition
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.games.audit.marked import MODEL, table, trained
from tests.held_networks import encoder, passages, translations, translator
from tests.language_models import causal, documents


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
    assert [(job.key, job.state) for job in Jobs(Store()).all()] == [(facts["key"], "done")], "Runs lists it"
    assert "Profile routine: 30 targets in and 30 out, 10 shadow models" in printed.err
    assert "half of the 60 documents in" in printed.err and "all 60 out" in printed.err
    assert "fulfils the condition accuracy.n > 10" in printed.err
    assert facts["conclusive"] is True and facts["estimates"]["auc"]["members"] == 30
    assert "mine.txt: 120 words of 12 dimensions (word2vec text)." in facts["said"]
    assert any(line.startswith("Blind baseline") for line in facts["said"])
    origins = {each["name"]: each["origin"] for each in facts["hyperparameters"]}
    assert origins == {
        "dimension": "read",
        **dict.fromkeys(MODEL, "given"),
        "algorithm": "assumed",
        "documents": "assumed",
    }
    assert "read from the file: dimension 12; given:" in printed.err and "; assumed: algorithm word2vec" in printed.err
    assert "assumed: algorithm word2vec, documents 60. Where what is assumed is wrong" in " ".join(facts["said"])
    assert main([*given, "--set=algorithm=word2vec"]) == 0
    printed = capsys.readouterr()
    assert f"python -m core report {facts['key']}" in printed.out
    for output in (printed.err, printed.out):
        _, both = output.split("; given: ")
        assert "algorithm word2vec" in both.partition("; assumed: documents 60.")[0], "the default, but given"
    assert "1 is assumed" in printed.out
    _, _, path, _, marked, *_ = given
    audited = audit(path, marked, **MODEL)
    assert audited.experiment.key == facts["key"] and set(audited.verdict.lines) <= set(facts["said"])
    estimates = {name: estimate.plain() for name, estimate in sorted(audited.result.estimates.items())}
    assert json.dumps(estimates) == json.dumps(facts["estimates"]), "in Python it is the same to the byte"
    with pytest.raises(InvalidSpec, match="Did you mean 'epochs'"):
        audit(path, marked, epoch=3)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--owners", "owners.json"], "--owners needs a column that names them: --set owner_column=NAME."),
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of a small audit of a language model without a base."""
    monkeypatch.setitem(language_model_plan.PROFILES, "routine", ModelProfile("routine", 20, 3))
    documents(["in", "in", "out"] * 20).to_csv(tmp_path / "marked.csv", index=False)
    causal(tmp_path / "mine")
    return ["audit", "model", str(tmp_path / "mine"), "--documents", str(tmp_path / "marked.csv"), "--set=context=16"]


def test_a_folder_is_audited_as_a_language_model(folder: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*folder, "--json", "--fail-if", "accuracy.n > 10", "--set=epochs=3", "--set=shadow_pairs=3"]) == 3
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert "mine: GPT2LMHeadModel with " in printed.err and "No base is named" in printed.err
    assert "Without it, what you set changes nothing: epochs, shadow_pairs." in printed.err
    assert "Profile routine: 20 targets in and 20 out, no shadow models" in printed.err
    cut = facts["estimates"]["cut_documents"]
    assert 0 < cut["value"] < cut["decisions"] == 60
    assert main([*folder, "--fail-if", "tpr_at_1pct_fpr.low > 0.5"]) == 1
    assert "tpr_at_1pct_fpr is not measurable with 20 decisions" in capsys.readouterr().err
    assert main(folder) == 0
    assert f"/model_audit?view.result={facts['key']}" in capsys.readouterr().out


def test_a_base_is_announced_with_how_shadow_models_are_trained(tmp_path: Path, folder: list[str]) -> None:
    base = causal(tmp_path / "base")
    audit = model_plan.experiment(
        "language_model",
        {"source": folder[2], "base": str(base), "epochs": 2},
        {"source": folder[4]},
        PROFILES["smoke"],
    )
    reading = OwnMarkedDocuments(source=folder[4]).read()
    settings = hyperparameters(audit, reading.documents, {"batch"})
    *_, line = language_model_plan.described(audit, reading, settings)
    assert line.startswith("Base: base: GPT2LMHeadModel")
    assert "given: epochs 2, batch 8; assumed: learning_rate 5e-05, decay linear, context 512, documents " in line
    few = language_model_plan.expected(audit, reading.documents, PROFILES["smoke"])
    more = audit.replace(model=audit.model.replace(epochs=100))
    assert few.shadows == 30
    assert language_model_plan.expected(more, reading.documents, PROFILES["smoke"]).minutes > few.minutes


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--words", "words.txt"], "--words is of a file of word vectors"),
        (["--base", "nowhere/at-all"], "at-all"),
        (["--base", "./nowhere"], "No folder './nowhere'"),
        (["--base", "./min"], "Did you mean 'mine'? Name a folder"),
        (["--set", "shadow_pairs=1"], "must be 0, or at least 3"),
        (["--set", "learning_rat=1"], "Did you mean 'learning_rate'"),
    ],
)
def test_what_is_wrong_with_a_folder_is_refused_in_one_line(
    folder: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    extra: list[str],
    says: str,
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.chdir(tmp_path)
    assert main([*folder, *extra]) == 1
    assert says in capsys.readouterr().err


def test_the_folder_of_an_adapter_is_refused_with_how_to_merge_it(
    folder: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine" / "config.json").rename(tmp_path / "mine" / "adapter_config.json")  # as peft saves one
    assert main(folder) == 1
    assert "holds an adapter for another model. Merge the two" in capsys.readouterr().err


def test_an_audit_that_concludes_nothing_does_not_pass(
    tmp_path: Path, folder: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = documents(["in", "in", "out"] * 20)
    rows["text"] += [" indeed" if mark == "in" else " never" for mark in rows["member"]]
    rows.to_csv(tmp_path / "marked.csv", index=False)
    assert main([*folder, "--fail-if", "auc.low > 0.99"]) == 4
    printed = capsys.readouterr()
    assert "Nothing can be concluded: the documents alone tell ins from outs" in printed.err
    assert "Nothing can be concluded about the model" in printed.out
    assert main(folder) == 0


def test_folders_of_other_kinds_are_audited_without_shadow_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passages(["in", "out"] * 40).to_csv(tmp_path / "texts.csv", index=False)
    translations(["in", "out"] * 40).to_csv(tmp_path / "pairs.csv", index=False)
    kinds = (
        (encoder(tmp_path / "sentences"), "texts.csv", "BertModel with ", "the mean of the hidden states"),
        (translator(tmp_path / "german"), "pairs.csv", "T5ForConditionalGeneration with ", "No base is named"),
    )
    for folder, table_name, architecture, how in kinds:
        given = [
            "audit",
            "model",
            str(folder),
            "--documents",
            str(tmp_path / table_name),
            "--profile",
            "smoke",
            "--json",
        ]
        pairs = ["--set", "translation_column=german"] if table_name == "pairs.csv" else []
        assert main([*given, *pairs, "--set", "context=32"]) == 0
        printed = capsys.readouterr()
        facts = json.loads(printed.out)
        assert f"{folder.name}: {architecture}" in printed.err and how in printed.err
        assert "Profile smoke: 20 targets in and 20 out, no shadow models" in printed.err
        assert "half of the 40 documents in" in printed.err and "half of the 40 out" in printed.err
        assert "told a random half of the documents out" in printed.err and "hyperparameters" not in facts
        assert facts["estimates"]["known_outs"]["value"] == 20
    assert main(given) == 1
    assert "Set 'translation_column'" in capsys.readouterr().err
    assert main([*given, "--words", "words.txt"]) == 1
    assert "--words is of a file of word vectors" in capsys.readouterr().err


def estimates(**changes: Any) -> dict[str, Estimate]:
    result = Result.load(Store(), model_audit.shipped().key)
    assert result is not None
    return {
        name: figure.model_copy(update=changes.get(name.replace(".", "_"), {}))
        for name, figure in result.estimates.items()
    }


def test_texts_that_tell_ins_from_outs_allow_no_conclusion() -> None:
    conclusion = verdict(estimates(auc_model_free={"value": 0.9, "low": 0.85, "high": 0.95}))
    assert not conclusion.conclusive
    assert conclusion.headline.startswith("Nothing can be concluded about the model")
    assert "tells them apart" in conclusion.lines[0]


NULL = {"value": 0.51, "low": 0.45, "high": 0.57}


def at_chance(**changes: dict[str, float]) -> dict[str, Estimate]:
    """Return figures of an audit that finds nothing, but for some changes."""
    nothing = {name.replace(".", "_"): NULL for name in estimates() if name.startswith(("auc", "accuracy"))}
    rates = {name.replace(".", "_"): {"value": 0.01, "low": 0.0, "high": 0.05} for name in estimates() if "fpr" in name}
    return estimates(**{**nothing, **rates, **changes})


def test_a_finding_at_chance_is_no_all_clear() -> None:
    conclusion = verdict(at_chance())
    assert "no proof of privacy: a leak of AUC 0.57 is within the interval" in conclusion.headline


def test_an_auc_below_chance_is_said_to_be_so() -> None:
    below = {"value": 0.38, "low": 0.29, "high": 0.49}
    conclusion = verdict(at_chance(auc=below))
    assert "entirely below chance 0.50" in conclusion.headline and "a leak of AUC" not in conclusion.headline


def test_a_leak_that_only_another_statistic_finds_is_in_the_headline_and_no_condition_passes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    leak = {"value": 0.7, "low": 0.64, "high": 0.76}
    slight = {"value": 0.56, "low": 0.501, "high": 0.62}
    result = Result.load(Store(), model_audit.shipped().key)
    assert result is not None
    conditions = [Condition.parse("auc.low > 0.55")]
    changed = {"auc_uncalibrated": slight, "auc_l2_distance": slight}
    assert "does not tell" in verdict(at_chance(**changed)).headline
    assert failed(conditions, replace(result, estimates=at_chance(**changed))) == 0
    figures = at_chance(**{**changed, "auc_l2_distance": leak})
    headline = verdict(figures).headline
    assert headline.startswith("The planned statistic finds nothing: AUC 0.51")
    assert "AUC of word pairs by L2 distance 0.70" in headline and "calibration" not in headline
    assert failed(conditions, replace(result, estimates=figures)) == 4
    assert "Other statistics tell" in capsys.readouterr().err
    assert failed([Condition.parse("auc_l2_distance.low > 0.6")], replace(result, estimates=figures)) == 3
    figures = at_chance(**changed, accuracy_l2_distance={"value": 0.68, "low": 0.62, "high": 0.73})
    assert verdict(figures).headline.endswith(
        "Other figures tell documents in from those out, corrected for the number of all: accuracy of word pairs by L2 "
        "distance 68% (62–73%)."
    )
    assert failed(conditions, replace(result, estimates=figures)) == 4, "as the report counts it against a release"
    figures["auc"] = figures["auc"].model_copy(update=leak)
    assert "Other figures" not in verdict(figures).headline
    assert failed([Condition.parse("auc.low > 0.7")], replace(result, estimates=figures)) == 0


def test_without_enough_out_it_says_why_there_is_no_rate() -> None:
    figures = estimates()
    del figures["tpr_at_1pct_fpr"]
    assert "No true-positive rate at 1% is given" in " ".join(verdict(figures).findings)


@pytest.mark.parametrize(
    "entry", [entry for entry in model_audit.entries() if entry.contrast], ids=lambda one: one.name
)
def test_the_nulls_that_ship_hold_chance(entry: Entry) -> None:
    result = Result.load(Store(), entry.experiment.key)
    assert result is not None
    compared = {name: figure for name, figure in result.estimates.items() if figure.chance is not None}
    beyond = [name for name, figure in compared.items() if not figure.low <= figure.chance <= figure.high]
    assert not {"accuracy", "auc", "tpr_at_1pct_fpr"} & set(beyond), "the answer is at chance"
    assert len(beyond) <= 0.05 * len(compared), (
        f"of {len(compared)} intervals of 95%, too many exclude chance: {beyond}"
    )
