"""What every attack on documents promises of a user's own: a refusal before any training, and settings that work."""

import csv
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from core import fitting
from core.attacks.keyword_inference import KeywordInference
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games.attack import Attack
from core.overrides import overridden
from core.registry import parts
from core.text.contents import Documents

ATTACKS = [
    attack.part_name() for attack in cast(tuple[type[Attack], ...], parts("attack")) if attack.reads is Documents
]
WORDS = (
    "garden",
    "river",
    "window",
    "paper",
    "summer",
    "letter",
    "music",
    "bread",
    "silver",
    "winter",
    "bridge",
    "forest",
)
SIZES = {"few": (24, 0), "small": (60, 6), "usual": (600, 40), "many": (600, 0)}
"""Documents and owners of each of a user's files; no owners where there are none."""


@pytest.fixture(scope="module", params=SIZES)
def own_documents(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[str, Any]]:
    documents, owners = SIZES[request.param]
    rng = np.random.default_rng(7)
    path = tmp_path_factory.mktemp("own") / f"{request.param}.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", *(["author"] if owners else [])])
        for number in range(documents):
            sentences = [" ".join(rng.choice(WORDS, 9)).capitalize() for _ in range(3)]
            rows.writerow([f"{'. '.join(sentences)} {number}.", *([f"writer {number % owners}"] if owners else [])])
    columns = {"owner_column": "author"} if owners else {}
    return request.param, {"part": "documents", "source": str(path), **columns}


def asked(attack: str, dataset: dict[str, Any]) -> Experiment:
    experiment = Experiment.preset(attack, "demo", dataset=dataset)
    return experiment.replace(game=experiment.game.with_owners("owner_column" in dataset))


@pytest.mark.parametrize("attack", ATTACKS)
def test_settings_that_are_proposed_for_own_documents_pass_every_check(
    attack: str, own_documents: tuple[str, dict[str, Any]]
) -> None:
    size, dataset = own_documents
    try:
        experiment = asked(attack, dataset)
    except InvalidSpec as error:
        assert "needs" in str(error) or "known from" in str(error)
        return
    fit = fitting.fit(experiment)
    assert bool(fit.reason) or not fit.changes
    if fit.changes:
        assert not fitting.fit(overridden(experiment, fit.changes)).reason
    if size == "usual" and not _needs_classes(fit):
        assert not fit.reason or fit.changes, f"{attack} names nothing that fits 600 documents: {fit.reason}"


def test_a_refusal_of_own_documents_names_what_they_lack_and_holds_all_that_fits(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("text\n" + "".join(f"a note about {word} {number}\n" for word in WORDS for number in range(6)))
    experiment = asked("keyword_inference", {"part": "documents", "source": str(path)})
    fit = fitting.fit(experiment)
    assert "'war'" in fit.reason
    fitted = overridden(experiment, fit.changes)
    assert isinstance(fitted.attack, KeywordInference) and set(fitted.attack.keywords) <= {"note", *WORDS}
    with pytest.raises(TelltaleError, match="'war'") as refused:
        fitting.check(experiment)
    assert getattr(refused.value, "fits", None) == fit.changes
    fitting.check(fitted)


def _needs_classes(fit: fitting.Fit) -> bool:
    return "classes" in fit.reason
