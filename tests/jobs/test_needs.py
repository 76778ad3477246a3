"""What a run would have to fetch first is known before it starts."""

from pathlib import Path

import pytest

from core import catalog
from core.encoders.records import RECORDS
from core.experiment import Experiment
from core.jobs.needs import Need, needs
from core.registry import names, part
from core.sources.location import cached


@pytest.fixture(autouse=True)
def nothing_here(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.mark.parametrize("attack", names("attack"))
def test_every_demo_runs_with_what_comes_with_the_code(attack: str) -> None:
    assert needs(Experiment.preset(attack, "demo")) == ()


def test_data_of_the_adversary_count_too_and_everything_once() -> None:
    data = {"part": "enron_spam"}
    experiment = Experiment.preset("word_pairs", "demo", dataset=data, attack={"shadow_data": data})
    dataset = part("dataset", "enron_spam")()
    sizes = {file.path: file.size for source in dataset.sources() for file in source.files}
    assert needs(experiment) == (Need(dataset.title, sum(sizes.values())),)
    assert needs(experiment.replace(dataset={"part": "wikipedia_excerpt"})) == needs(dataset)


def test_a_file_that_is_here_is_no_longer_needed() -> None:
    dataset = part("dataset", "enron_spam")()
    files = [(source, file) for source in dataset.sources() for file in source.files]
    before = needs(dataset)[0].size
    assert before is not None
    for source, file in files:
        cached(source, file).parent.mkdir(parents=True, exist_ok=True)
        cached(source, file).write_bytes(b"")
        before -= file.size
        left = needs(dataset)
        assert (left[0].size if left else 0) == before


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_an_encoder_is_here_can_be_fetched_or_has_an_obstacle_that_names_the_remedy(name: str) -> None:
    experiment = Experiment.preset("keyword_inference", "demo", model={"part": "encoder", "source": name})
    record = RECORDS[name]
    for need in needs(experiment):
        assert need.title == record.title
        assert bool(need.obstacle) == (bool(record.unavailable) or not record.hub)
        assert record.command in need.obstacle and record.unavailable in need.obstacle


def test_every_encoder_that_is_downloaded_says_how_much_that_is() -> None:
    downloaded = [record for record in RECORDS.values() if record.hub and not record.unavailable and not record.package]
    assert len(downloaded) > 5
    assert not [record.name for record in downloaded if not 10 <= record.megabytes <= 10_000]


def test_every_promised_experiment_can_be_asked() -> None:
    assert all(need.title for entry in catalog.entries() for need in needs(entry.experiment))


def test_a_folder_that_is_gone_is_no_download() -> None:
    experiment = Experiment.preset("keyword_inference", "demo", model={"part": "encoder", "source": "/no/such/folder"})
    assert needs(experiment)[0].obstacle
    hub = Experiment.preset("keyword_inference", "demo", model={"part": "encoder", "source": "someone/something"})
    assert needs(hub) == (Need("someone/something"),)
