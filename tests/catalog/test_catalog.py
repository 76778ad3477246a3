"""What precomputed/ promises is there, and a promise can be kept again."""

import shutil
from pathlib import Path

import pytest

from core import catalog
from core.errors import TelltaleError
from core.experiment import Experiment, run
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import SHIPPED, Store


def test_every_promised_result_is_there_and_intact(tmp_path: Path) -> None:
    assert catalog.check(Store(root=tmp_path)) == []


WRITTEN = {
    ("decoded", "words"),
    ("texts", "words"),
    ("targets", "label"),
    ("canaries", "beginning"),
    ("canaries", "truth"),
    ("guesses", "guess"),
    ("passages", "continuation"),
    ("runs", "guess"),
    ("shown", "translation"),
    *((name, column) for name in ("confusion", "map") for column in ("author", "guess")),
    *((name, "title") for name in ("sets", "corpora", "bleu", "shown")),
}
"""Tables and columns that hold what an adversary or a translator wrote, made-up secrets, names of mailboxes or the
titles of articles and collections, rather than anybody's text."""


def test_the_results_are_small_and_hold_no_text() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) < 45e6
    for entry in catalog.entries():
        result = Result.load(Store(), entry.experiment.key)
        assert result is not None
        for name, table in result.tables.items():
            for column in table.select_dtypes(include=["object", "string"]):
                if (name, column) in WRITTEN:
                    continue
                texts = {cell for cell in table[column] if isinstance(cell, str)}
                assert all(len(text.split()) < 4 for text in texts)


def test_promises_that_are_broken_are_noticed_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "precomputed"
    promised = catalog.entries()[:6]
    flipped, lacking, absent = promised[:3]
    for entry in promised:
        shutil.copytree(SHIPPED / entry.experiment.key, shipped / entry.experiment.key)
    monkeypatch.setattr(catalog, "entries", lambda: promised)
    content = bytearray((shipped / flipped.experiment.key / "result.json").read_bytes())
    content[len(content) // 2] ^= 1
    (shipped / flipped.experiment.key / "result.json").write_bytes(content)
    (shipped / lacking.experiment.key / f"{next(iter(lacking.experiment.game.tables))}.parquet").unlink()
    shutil.rmtree(shipped / absent.experiment.key)
    assert catalog.check(Store(root=tmp_path / "home", shipped=shipped)) == [
        f"{flipped.name}: precomputed/{flipped.experiment.key} is damaged.",
        f"{lacking.name}: precomputed/{lacking.experiment.key} is damaged.",
        f"{absent.name}: no result under precomputed/{absent.experiment.key}.",
    ]


@pytest.mark.slow
def test_the_demo_computed_again_agrees(store: Store) -> None:
    """On the machine that made it the bytes agree too; elsewhere the last bits of a sum may differ."""
    entry = catalog.matching("demo")[0]
    promised = Result.load(Store(root=store.root), entry.experiment.key)
    again, cached = run(entry.experiment, RunContext(store=store))
    assert promised is not None
    assert not cached
    assert Experiment.parse(again.experiment) == Experiment.parse(promised.experiment)
    mine, theirs = (found.tables["targets"]["documents"].map(tuple) for found in (again, promised))
    assert mine.equals(theirs)
    for name, estimate in promised.estimates.items():
        if estimate.chance is not None and name.startswith(("accuracy", "auc")):
            assert again.estimates[name].value == pytest.approx(estimate.value, abs=0.05), name
    assert again.estimates["accuracy"].above_chance()


def test_names_are_unique_and_so_are_keys() -> None:
    entries = catalog.entries()
    assert len({entry.name for entry in entries}) == len(entries)
    assert len({entry.experiment.key for entry in entries}) == len(entries)
    with pytest.raises(TelltaleError, match="No precomputed result is named"):
        catalog.matching("figure_9*")
