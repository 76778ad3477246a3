"""What a report calls runs, defenses, models, subgroups and figures: apart where they differ, none of a user's."""

from typing import Any

import pytest

from core.experiment import Experiment
from core.report import build, rendered
from core.runtime.store import Store
from tests.dashboard.embedding_results import defended, estimate, result

PRIVATE = "zebrafinch"
VECTORS = {
    "dataset": {"part": "embeddings", "source": f"/home/{PRIVATE}.npy", "label_column": PRIVATE},
    "model": {"part": "encoder", "source": "minilm"},
}


def stored(store: Store, key: str, rows: dict[str, list[dict[str, Any]]] | None = None, **values: Any) -> str:
    experiment = Experiment.parse({**VECTORS, **values})
    estimates = {**defended(0.4, 0.8, *((0.1, 0.1) if experiment.defenses else ())), "recall_names": estimate(0.3, 0.1)}
    if experiment.attack.game == "inversion":
        estimates["f1"] = estimates.pop("accuracy")
    result(experiment, estimates, rows or {}).save(store, 4 * key)
    return 4 * key


@pytest.fixture
def evidence(store: Store) -> dict[str, Any]:
    """The evidence of words read, plainly and behind two formats, and of two secrets inferred."""
    words = {"attack": "multilabel_inversion"}
    band = {"occurrences": 60, "recall": 0.4, "low": 0.3, "high": 0.5, "frequency": 0.1}
    bands = [{**band, "fewest": fewest, "most": most} for fewest, most in ((5, 19), (500, -1))]
    behind = [
        stored(store, f"fee{bits % 10}", **words, defenses=[{"part": "quantisation", "bits": bits}]) for bits in (16, 1)
    ]
    secrets = [
        stored(store, key, attack={"part": "attribute_inference", "inferred": inferred})
        for key, inferred in (("aaaa", "owner"), ("bbbb", "label"))
    ]
    return build([stored(store, "abcd", {"rarity": bands}, **words), *behind, *secrets], store)


def test_what_differs_has_another_name_and_an_attack_counts_once(evidence: dict[str, Any]) -> None:
    titles = [each["title"] for each in evidence["results"]]
    assert len(set(titles)) == 5 and titles[1].endswith("behind fewer bits (bits 16)")
    assert {row["title"] for row in evidence["defenses"]} == {"fewer bits (bits 16)", "fewer bits (bits 1)"}
    assert titles[3:] == ["Author inference", "Class inference"]
    assert evidence["results"][3]["question"] != evidence["results"][4]["question"]
    assert evidence["finding"][0].startswith("3 of 3 attacks find a leak, in 5 of 5 runs, most clearly ")
    assert {system["model"] for system in evidence["systems"]} == {"Sentence encoder, all-MiniLM-L6-v2"}


def test_names_of_telltale_are_shown_and_those_of_a_user_are_not(evidence: dict[str, Any]) -> None:
    words = evidence["results"][0]
    bands = [group["group"] for group in words["subgroups"]]
    assert sorted(bands) == [
        "words in 5 to 19 texts of the adversary",
        "words in 500 or more texts of the adversary",
    ]
    assert "recall names" in {each["label"] for each in words["estimates"]}
    assert "recall names" in str(evidence["evidence"]["against"])
    assert [each["label"] for each in words["useful"]] == ["utility"]
    page = rendered(evidence, ".html").decode()
    assert words["useful"][0]["help"] in page and PRIVATE not in page
