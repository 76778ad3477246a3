"""Reports of audits of one model: they say what the verdict says, of the same figure."""

from typing import Any

import pandas as pd
import pytest

from core import catalog
from core.audits.model_verdict import verdict
from core.experiment import Experiment
from core.report import build, rendered
from core.report.declared import Declared
from core.report.drawing import intervals
from core.report.verdict import sentences
from core.result import Estimate, Result
from core.runtime.store import Store
from tests.dashboard.samples import PROVENANCE

KEY = "e" * 16
WORDS, NULL = "demo_word_pair_audit", "language_model_audit_null"
SHIPPED = (WORDS, "word_pair_audit_null", "demo_language_model_audit", NULL)
NOTHING = "nothing can be concluded"
EXPERIMENT = Experiment.parse(
    {
        "attack": "language_model_audit",
        "dataset": {"part": "marked_documents", "source": "/home/ada.csv"},
        "model": "own_language_model",
    }
)


def figure(value: float, half: float = 0.08, chance: float = 0.5) -> Estimate:
    low, high = max(value - half, 0.0), min(value + half, 1.0)
    return Estimate(value=value, low=low, high=high, chance=chance, unit="share", members=4, nonmembers=4)


def key_of(name: str) -> str:
    (entry,) = catalog.matching(name)
    return entry.key


def audited(store: Store, **changes: Estimate) -> dict[str, Any]:
    """Return the evidence of an audit with an AUC above chance, an accuracy that is not, and changed estimates."""
    estimates = {
        "accuracy": figure(0.55),
        "accuracy_min_k": figure(0.5),
        "accuracy_model_free": figure(0.5),
        "auc": figure(0.69),
        "auc_min_k": figure(0.5),
        "auc_model_free": figure(0.5),
        **changes,
    }
    Result(EXPERIMENT.as_dict(), estimates, PROVENANCE, {}).save(store, KEY)
    return build([KEY], store, Declared(tolerable=0.99))


def test_two_audits_of_one_model_are_told_apart_and_that_by_owner_says_so(store: Store) -> None:
    dataset = EXPERIMENT.dataset.replace(owner_column="who")
    by_owner = EXPERIMENT.replace(dataset=dataset, game=EXPERIMENT.game.with_owners(True))
    keys = ["a" * 16, "b" * 16, "c" * 16]
    estimates = {"auc": figure(0.6), "auc_model_free": figure(0.5)}
    targets = pd.DataFrame({"label": ["ada", "ada", "bo"], "member": [True, False, True]})
    for key, audit in zip(keys, (EXPERIMENT, EXPERIMENT.replace(seed=2), by_owner), strict=True):
        Result(audit.as_dict(), estimates, PROVENANCE, {"targets": targets}).save(store, key)
    evidence = build(keys, store)
    documents, _, owners = evidence["results"]
    assert owners["title"] == "Language model audit by owner" and "Which owners give away" in owners["question"]
    assert owners["power"][-1].startswith("1 owner is drawn as a target on each side")
    assert documents["title"] == "Language model audit" and "Which of your documents" in documents["question"]
    labels = [line.label for line in intervals(evidence["results"])][1::2]
    first = f"Language model audit ({keys[0]}): AUC"
    assert labels == [first, first.replace("a" * 16, "b" * 16), "Language model audit by owner: AUC"]
    (said,) = [
        line for line in sentences(by_owner, Result(by_owner.as_dict(), estimates, PROVENANCE, {})) if "AUC" in line
    ]
    assert said.startswith("Given what your model gives for the documents of an owner, the adversary tells whether")
    page = rendered(evidence, ".html").decode()
    assert ">yours</td>" in page and "yours. none" not in rendered(evidence, ".md").decode()


@pytest.mark.parametrize("others", [(), (NULL,)])
def test_an_audit_that_concludes_nothing_says_so_first_and_is_evidence_for_no_side(
    others: tuple[str, ...], store: Store
) -> None:
    audited(store, auc_model_free=figure(0.7), accuracy_model_free=figure(0.7))
    evidence = build([*map(key_of, others), KEY], Store(root=store.root))
    assert evidence["conclusive"] is False
    assert [result["conclusive"] for result in evidence["results"]] == [True] * len(others) + [False]
    assert NOTHING in evidence["finding"][0] and "0.700 [0.620, 0.780]" in evidence["finding"][0]
    assert NOTHING in evidence["evidence"]["neither"][0]
    assert not evidence["evidence"]["against"] and not evidence["evidence"]["for"]
    assert len(evidence["finding"]) == (1 if not others else 4)
    for suffix in (".html", ".md"):
        page = rendered(evidence, suffix).decode()
        assert page.lower().count(NOTHING) >= 4
        assert "No figure speaks" not in page


def test_of_a_model_that_is_its_own_base_nothing_is_concluded(store: Store) -> None:
    ties = {"auc_reference": figure(0.5, 0), "cut_documents": figure(0.0, 0)}
    evidence = audited(store, auc=figure(0.52), **ties)
    assert evidence["conclusive"] is False
    assert NOTHING in evidence["finding"][0] and "nothing was fine-tuned" in evidence["finding"][0]
    assert not evidence["evidence"]["against"] and not evidence["evidence"]["for"]


def test_what_the_texts_alone_give_is_no_leak_of_the_model(store: Store) -> None:
    evidence = audited(store, auc=figure(0.5), accuracy_model_free=figure(0.7))
    assert evidence["conclusive"] is True
    assert (evidence["results"][0]["above"]["count"], evidence["results"][0]["above"]["of"]) == (0, 4)
    assert evidence["finding"][0].startswith("Language model audit finds no leak in its main figure. AUC: 0.500")


def test_a_baseline_that_reads_more_than_texts_says_what(store: Store) -> None:
    changed = EXPERIMENT.replace(
        dataset=EXPERIMENT.dataset.replace(label_column="topic"), game=EXPERIMENT.game.replace(users="owners")
    )
    estimates = {"auc": figure(0.7), "auc_model_free": figure(0.5), "accuracy": figure(0.6)}
    targets = pd.DataFrame({"label": ["ada", "bo"], "member": [True, False]})
    Result(changed.as_dict(), estimates, PROVENANCE, {"targets": targets}).save(store, KEY)
    evidence = build([KEY], store)
    read = "texts, classes and numbers of documents"
    assert f"The blind baseline, from the {read} alone, gives 0.500" in " ".join(evidence["finding"])
    page = rendered(evidence, ".html").decode()
    assert (
        f"AUC, blind baseline ({read})" in page
        and "exts alone" not in page.partition("<body")[2].partition("Limits")[0]
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_report_and_verdict_judge_the_same_figure_alike(name: str) -> None:
    key = key_of(name)
    evidence = build([key], Store())
    result = Result.load(Store(), key, tables=False)
    assert result is not None
    (main,) = evidence["results"][0]["headline"]
    leaks = result.estimates["auc"].above_chance()
    assert main["name"] == "auc"
    assert ("gives away" in verdict(result.estimates).headline) is leaks
    assert ("finds a leak" in evidence["finding"][0]) is leaks
    assert bool(evidence["evidence"]["against"]) is leaks


def test_markdown_has_the_settings_and_packages_of_the_page() -> None:
    key = key_of(NULL)
    evidence = build([key], Store())
    written = rendered(evidence, ".md").decode().replace("\\", "")
    (result,) = evidence["results"]
    assert "dataset.marks = 2" in result["settings"]
    assert f"Other than the defaults: {'; '.join(result['settings'])}." in written
    assert f"Packages of {key}: {result['packages']}." in written


def test_false_positives_and_roc_curve_of_an_audit_are_those_of_its_attack() -> None:
    result = Result.load(Store(), key := key_of(WORDS))
    assert result is not None
    (described,) = build([key], Store())["results"]
    scores, curve = (result.tables[name].query("variant == 'word_pair_audit'") for name in ("scores", "roc"))
    out = scores[~scores["member"]]
    rate = described["false_positives"]
    assert (rate["value"], rate["n"]) == (pytest.approx(out["guess"].mean()), 200)
    assert rate["low"] < rate["value"] < rate["high"]
    assert [point["true_positive_rate"] for point in described["roc"]] == pytest.approx(
        curve["true_positive_rate"], abs=1e-4
    )


def test_every_statistic_is_reported_and_those_above_chance_are_evidence_against(store: Store) -> None:
    evidence = audited(store, auc=figure(0.5), auc_min_k=figure(0.9))
    (against,) = evidence["evidence"]["against"]
    assert "1 of this result lies above chance" in against
    assert "AUC, Min-K% 0.900 [0.820, 0.980], chance 0.500." in against
    assert not evidence["evidence"]["for"]
    key = key_of(NULL)
    rows = {row["statistic"]: row["figures"] for row in build([key], Store())["results"][0]["statistics"]}
    assert list(rows)[-1] == "blind baseline" and {"loss alone", "Min-K%", "RMIA"} < rows.keys()
    result = Result.load(Store(), key, tables=False)
    assert result is not None
    for measure, reported in rows["RMIA"].items():
        assert reported.items() >= result.estimates[f"{measure}_rmia"].model_dump().items()
    for suffix in (".html", ".md"):
        page = rendered(evidence, suffix).decode().partition("<script")[0].replace("\\", "")
        assert page.count("0.900 [0.820, 0.980], chance 0.500") == 2


def test_vectors_whose_order_nothing_checked_conclude_nothing_unless_words_are_read(store: Store) -> None:
    entry = next(entry for entry in catalog.entries() if entry.name == "audit_vectors_pairs")
    base = Result.load(Store(), entry.key)
    assert base is not None
    apart = {"part": "embeddings", "source": "/home/ada.npy", "texts": "/home/ada.csv"}
    known = Experiment.parse({**base.experiment, "dataset": apart})
    unknown = known.replace(model={"part": "unknown_encoder"})
    together = unknown.replace(dataset={"part": "embeddings", "source": "/home/ada.parquet"})
    played = {"a": (unknown, 0.2), "b": (known, 0.2), "c": (unknown, 0.6), "d": (together, 0.2)}
    for key, (experiment, f1) in ((letter * 16, each) for letter, each in played.items()):
        figures = {**base.estimates, "f1": figure(f1, chance=0.2), "utility": figure(0.5)}
        Result(experiment.as_dict(), figures, PROVENANCE, base.tables).save(store, key)
    alone = build(["a" * 16], store)
    assert alone["conclusive"] is False and "nothing can be concluded. The encoder is unknown" in alone["finding"][0]
    assert not alone["evidence"]["for"] and alone["results"][0]["power"][0].endswith(": inconclusive.")
    beside = build(["a" * 16, "b" * 16], store, Declared(tolerable=0.9))
    assert beside["conclusive"] is True, "the encoder of the other shows that texts and vectors are in one order"
    (promise, *_) = build(["c" * 16], store)["results"][0]["power"]
    assert "not checked" in promise and "would have been shown" not in promise
    moved = build(["a" * 16, "c" * 16], store, Declared(tolerable=0.9))["evidence"]
    assert not moved["for"] and moved["against"], "texts moved by a row are read a little, too"
    assert build(["d" * 16], store)["conclusive"] is True, "each text lies beside its vector"
