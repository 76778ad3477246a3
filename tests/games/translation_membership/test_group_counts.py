"""Groups of sentence pairs are counted as groups wherever a result is read, and an interval without width says so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core import __main__ as command_line
from core.commands import experiments
from core.experiment import Experiment
from core.games.translation_membership import group_counts
from core.report import evidence
from core.result import Estimate, Result
from core.runtime.store import Store
from core.statistics.wording import CONSTANT
from dashboard.kit import attack_page

EXPERIMENT = Experiment.preset("translation_overlap", "demo")


@pytest.fixture(scope="module")
def planted() -> Result:
    """Return the shipped demo, with thirteen groups of members, fourteen others, and an area that no draw changes."""
    result = Result.load(Store(), EXPERIMENT.key)
    assert result is not None
    groups = result.tables["groups"]
    of_size = groups["size"] == group_counts.SIZE
    groups = groups.assign(members=groups["members"].where(~of_size, 13), others=groups["others"].where(~of_size, 14))
    flat = result.estimates["group_auc"].model_copy(update={"value": 0.8125, "low": 0.8125, "high": 0.8125})
    return replace(
        result,
        estimates={**result.estimates, "group_auc": flat},
        tables={**result.tables, "groups": groups},
    )


def test_shares_get_the_unit_and_all_get_the_number(planted: Result) -> None:
    counted = EXPERIMENT.game.counted(planted.estimates, planted.tables)
    assert {name: estimate.n for name, estimate in counted.items() if name.startswith("group_")} == {
        name: 27 for name in planted.estimates if name.startswith("group_")
    }
    assert (counted["group_accuracy"].unit, counted["group_auc"].unit) == (group_counts.UNIT, "probability")
    assert counted["accuracy"] == planted.estimates["accuracy"]
    without = {**planted.tables, "groups": planted.tables["groups"].head(0)}
    assert EXPERIMENT.game.counted(planted.estimates, without) == planted.estimates


def test_the_command_line_counts_them(
    planted: Result, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(experiments, "run_with_bars", lambda *_: (planted, True))
    assert command_line.main(["run", "translation_overlap"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert lines["group_accuracy"].endswith("n 27") and lines["accuracy"].endswith("n 800")
    assert f"0.813   {CONSTANT}" in lines["group_auc"] and "[" not in lines["group_auc"]
    assert command_line.main(["run", "translation_overlap", "--json"]) == 0
    estimates = json.loads(capsys.readouterr().out)["estimates"]
    assert (estimates["group_auc"]["decisions"], estimates["auc"]["decisions"]) == (27, 800)


def test_a_report_and_the_download_of_a_page_count_them(planted: Result, tmp_path: Path) -> None:
    store = Store(root=tmp_path, shipped=tmp_path / "none")
    strong = Estimate.model_validate({**planted.estimates["group_accuracy"].model_dump(), "value": 0.99, "low": 0.98})
    result = replace(planted, estimates={**planted.estimates, "group_accuracy": strong})
    result.save(store, EXPERIMENT.key)
    (reported,) = evidence.build([EXPERIMENT.key], store)["results"]
    of_groups = [figure for figure in reported["above"]["others"] if figure["label"].startswith("group")]
    assert of_groups and {figure["members"] for figure in of_groups} == {13}
    downloaded = json.loads(attack_page.as_json(result, EXPERIMENT.game, EXPERIMENT.as_dict()))
    assert downloaded["estimates"]["group_accuracy"]["decisions"] == 27
