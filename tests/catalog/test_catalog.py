"""What precomputed/ promises is there, and a promise can be kept again."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from core import catalog, drawings
from core.datasets.mail.enron_mailboxes import EnronMailboxes
from core.errors import TelltaleError
from core.experiment import Experiment, run
from core.games.inversion import Inversion
from core.result import Result, Tables
from core.runtime.context import RunContext
from core.runtime.store import DRAWINGS, SHIPPED, Store

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


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, list[str]]]:
    """What a check of every promise says, and the tables and columns that hold text, of each result that it reads."""
    wordy: dict[str, list[str]] = {}
    load = Result.load

    def read(store: Store, key: str) -> Result | None:
        result = load(store, key)
        if result is not None:
            wordy[key] = [f"{name}.{column}" for name, column in holding_text(result.tables)]
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Result, "load", read)
        broken = catalog.check(Store(root=tmp_path_factory.mktemp("checked")))
    return broken, wordy


def holding_text(tables: Tables) -> Iterator[tuple[str, str]]:
    for name, table in tables.items():
        for column, dtype in table.dtypes.items():
            if dtype.kind == "O" and dtype in ("object", "str") and (name, column) not in WRITTEN:
                texts = table[column].array
                distinct = texts.unique().to_numpy(object) if dtype == "str" else texts
                if any(isinstance(text, str) and len(text.split()) >= 4 for text in distinct):
                    yield name, str(column)


def test_every_promised_result_is_there_and_intact(checked: tuple[list[str], dict[str, list[str]]]) -> None:
    assert checked[0] == []


def test_the_results_are_small_and_hold_no_text(checked: tuple[list[str], dict[str, list[str]]]) -> None:
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) < 59e6
    assert checked[1] == {entry.experiment.key: [] for entry in catalog.entries()}


def test_the_drawings_that_ship_have_their_columns_and_hold_no_text() -> None:
    drawn = {
        (entry.name, name): (drawing.schema, drawings.load(Store(), entry.key, name, drawing))
        for entry in catalog.entries()
        for name, drawing in entry.experiment.drawings.items()
    }
    assert len(drawn) >= 15
    for (entry, name), (schema, table) in drawn.items():
        assert table is not None and list(table) == list(schema), entry
        assert not list(holding_text({name: table})), entry


def test_no_result_that_ships_says_which_words_single_emails_hold() -> None:
    """Of a text of six words, its words are nearly the text."""
    inverted = [entry for entry in catalog.entries() if isinstance(entry.experiment.game, Inversion)]
    of_emails = [entry for entry in inverted if isinstance(entry.experiment.dataset, EnronMailboxes)]
    tables = [result.tables["words"] for entry in of_emails if (result := Result.load(Store(), entry.key))]
    assert len(tables) == len(of_emails) > 10
    assert all(table.empty for table in tables)


def test_a_result_read_without_its_tables_lacks_nothing_else() -> None:
    key = catalog.matching("demo")[0].experiment.key
    whole, rest = Result.load(Store(), key), Result.load(Store(), key, tables=False)
    assert whole is not None and rest is not None
    assert whole.tables and not rest.tables
    assert (rest.experiment, rest.estimates, rest.provenance) == (whole.experiment, whole.estimates, whole.provenance)


def test_a_result_that_is_read_and_stored_again_keeps_its_bytes(store: Store) -> None:
    key = catalog.matching("demo")[0].experiment.key
    result = Result.load(Store(), key)
    assert result is not None and len(result.tables) > 5
    result.save(store, key)
    before, after = Store().get_files(key), store.get_files(key)
    assert before is not None and after is not None
    assert {name for name in before if before[name] != after[name]} == set()


def test_a_column_that_holds_text_is_noticed() -> None:
    texts = ["one", "two words", "a text of five words"]
    tables = {"said": pd.DataFrame({"short": texts[:2] * 3, "long": texts * 2, "number": range(6)})}
    tables["mixed"] = pd.DataFrame({"cells": [*texts, ["a text in a list"], None, 3.0]})
    assert list(holding_text(tables)) == [("said", "long"), ("mixed", "cells")]


def test_promises_that_are_broken_are_noticed_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "precomputed"
    promised = catalog.entries()[:6]
    flipped, lacking, absent = promised[:3]
    undrawn = next(entry for entry in promised[3:] if entry.experiment.drawings)
    for entry in promised:
        for part in (entry.key, f"{DRAWINGS}/{entry.key}") if entry.experiment.drawings else (entry.key,):
            shutil.copytree(SHIPPED / part, shipped / part)
    shutil.rmtree(shipped / DRAWINGS / undrawn.key)
    (shipped / DRAWINGS / undrawn.key / "unknown").mkdir(parents=True)
    for name in ("README.md", "INDEX.md", "scores.parquet"):
        (shipped / name).touch()
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
        f"{undrawn.name}: its drawing word_map is absent or damaged.",
        f"precomputed/{DRAWINGS}/{undrawn.key}/unknown is not promised by any entry.",
        "precomputed/scores.parquet is not promised by any entry.",
    ]


@pytest.mark.slow
def test_a_demo_computed_again_agrees(store: Store) -> None:
    """On the machine that made it the bytes agree too; elsewhere the last bits of a sum may differ."""
    entry = catalog.matching("demo_attribute_inference")[0]
    promised = Result.load(Store(root=store.root), entry.experiment.key)
    again, cached = run(entry.experiment, RunContext(store=store))
    assert promised is not None
    assert not cached
    assert Experiment.parse(again.experiment) == Experiment.parse(promised.experiment)
    mine, theirs = (result.tables["guesses"][["victim", "row", "secret", "truth"]] for result in (again, promised))
    assert mine.astype(object).equals(theirs.astype(object))
    for name, estimate in promised.estimates.items():
        if estimate.chance is not None and name.startswith(("accuracy", "top5")):
            assert again.estimates[name].value == pytest.approx(estimate.value, abs=0.05), name
    assert again.estimates["accuracy"].above_chance()


def test_names_are_unique_and_so_are_keys() -> None:
    entries = catalog.entries()
    assert len({entry.name for entry in entries}) == len(entries)
    assert len({entry.experiment.key for entry in entries}) == len(entries)
    with pytest.raises(TelltaleError, match="No precomputed result is named"):
        catalog.matching("figure_9*")
