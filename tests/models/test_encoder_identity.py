"""The key of a named encoder does not depend on whether its files are on this machine."""

from pathlib import Path

import pytest

from core.encoders.folders import digest_of, locate
from core.encoders.records import DEFAULT, RECORDS
from core.experiment import Experiment
from core.games.inference import Inference
from core.games.inversion import Inversion
from core.models import encoder as module
from core.models.encoder import Encoder
from tests.encoders.tiny import tiny


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder is on this machine."""
    monkeypatch.setattr(module, "locate", lambda *_: None)


@pytest.mark.parametrize("source", ["minilm", "small_gpt2", DEFAULT])
def test_without_the_files_the_digest_on_record_stands_for_them(source: str, nowhere: None) -> None:
    assert Encoder(source=source).identity()["files"] == RECORDS[source].digest != ""


@pytest.mark.parametrize("source", ["minilm", DEFAULT])
def test_the_files_on_this_machine_are_those_on_record(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = locate(source)
    if folder is None:
        pytest.skip(f"{source} is not on this machine")
    assert digest_of(folder) == RECORDS[source].digest
    experiment = Experiment.preset("keyword_inference", "demo", model={"part": "encoder", "source": source})
    here = experiment.key
    monkeypatch.setattr(module, "locate", lambda *_: None)
    assert experiment.replace(seed=experiment.seed).key == here


def test_other_files_under_the_name_have_another_key(
    home: Path, nowhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    promised = Encoder(source="small_gpt2").key
    monkeypatch.undo()
    monkeypatch.setenv("TELLTALE_HOME", str(home))
    folder = tiny(home / "encoders" / "small_gpt2", "gpt2")
    assert locate("small_gpt2") == folder
    assert Encoder(source="small_gpt2").key != promised


def test_each_name_without_its_files_has_a_key_of_its_own(nowhere: None) -> None:
    assert len({Encoder(source=name).key for name in RECORDS}) == len(RECORDS)
    assert len({Encoder(source=name, revision="v1").key for name in RECORDS}) == len(RECORDS)


@pytest.mark.parametrize(("revision", "stands"), [("", "main"), ("v1.0", "v1.0")])
def test_the_revision_stands_for_the_files_of_an_encoder_without_a_record(
    revision: str, stands: str, nowhere: None
) -> None:
    assert Encoder(source="someone/something", revision=revision).identity()["files"] == stands


def test_raw_length_and_the_quick_utility_leave_the_keys_of_older_results(nowhere: None) -> None:
    raw, unit = Encoder(source="minilm"), Encoder(source="minilm", length="unit")
    assert "length" not in raw.identity() and unit.identity()["length"] == "unit"
    for game in (Inference, Inversion):
        assert "utility" not in game().identity() and game(utility="tuned").identity()["utility"] == "tuned"
    stored = Experiment.preset("keyword_inference", "paper")
    older = stored.as_dict()
    del older["model"]["length"], older["game"]["utility"]
    assert Experiment.parse(older) == stored, "a stored result from before the choice is one at raw length"
