"""The generated tables agree with the results they are generated from."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from core import __main__ as command_line
from core import catalog
from core.catalog import published
from core.commands import shipped as shipped_commands
from core.errors import StoreError
from core.result import Estimate, Result, headline
from core.runtime.store import SHIPPED, Store

_TIED = "all scores are equal"


def figure(chance: float | None = 0.5, members: int = 0, decisions: int = 0) -> Estimate:
    return Estimate(
        value=0.7,
        low=0.6,
        high=0.8,
        chance=chance,
        unit="share",
        members=members,
        nonmembers=members,
        decisions=decisions,
    )


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    return published.pages(Store(), catalog.entries())


def test_the_tables_that_come_with_the_code_are_up_to_date(pages: dict[Path, str]) -> None:
    assert published.outdated(pages) == []


def test_each_table_has_one_row_per_result(pages: dict[Path, str]) -> None:
    names = {entry.experiment.key: entry.name for entry in catalog.entries()}
    for text in pages.values():
        by_result, _, _ = text.partition("## Over several seeds")
        rows = [line for line in by_result.splitlines() if line.startswith("| `") or "| [`" in line]
        shown = {key: line for line in rows for key in re.findall(r"\[`([0-9a-f]{16})`\]", line)}
        assert len(rows) == len(shown) == len(names)
        for key, name in names.items():
            assert f"| `{name}`" in shown[key]


def test_a_row_says_that_all_scores_are_equal_where_they_are(pages: dict[Path, str]) -> None:
    (row,) = [line for page in pages.values() for line in page.splitlines() if line.endswith(" |") and _TIED in line]
    assert row.startswith("| `messages_untouched`")


def test_a_mean_over_seeds_that_all_agree_has_no_interval(pages: dict[Path, str]) -> None:
    (page,) = [text for text in pages.values() if "## Over several seeds" in text]
    _, _, rows = page.partition("## Over several seeds")
    means = {tuple(line.split(" | ")[:2]): line.split(" | ")[2] for line in rows.splitlines() if " … " in line}
    alike = means["| `windows_cosine` … `windows_cosine_seed_6`", "`accuracy_model_free`"]
    assert alike == "0.500, the same with each"
    assert re.fullmatch(
        r"0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]",
        means["| `demo_translation_overlap` … `demo_translation_overlap_seed_6`", "`group_accuracy`"],
    )


def test_every_link_leads_to_a_file(pages: dict[Path, str]) -> None:
    for path, text in pages.items():
        for target in {part.partition(")")[0] for part in text.split("](")[1:]}:
            assert (path.parent / target).exists(), target


def test_a_table_that_was_edited_is_noticed_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = catalog.matching("demo")[0]
    shipped = tmp_path / "precomputed"
    shutil.copytree(SHIPPED / entry.experiment.key, shipped / entry.experiment.key)
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(shipped_commands, "Store", lambda: Store(root=tmp_path / "home", shipped=shipped))
    monkeypatch.setattr(shipped_commands.catalog, "entries", lambda: (entry,))
    assert command_line.main(["results", "--check"]) == 1
    assert command_line.main(["results"]) == 0
    assert command_line.main(["results", "--check"]) == 0
    page = tmp_path / "docs" / "results.md"
    page.write_text(page.read_text("utf-8").replace("0.838", "0.999"), "utf-8")
    capsys.readouterr()
    assert command_line.main(["results", "--check"]) == 1
    assert capsys.readouterr().out.startswith(f"{page} is out of date")


def test_a_repeated_headline_comes_after_what_the_attack_adds_and_a_new_one_stands_alone(tmp_path: Path) -> None:
    entries = tuple(catalog.matching(f"translations_{name}")[0] for name in ("over_trained", "several_queries"))
    store = Store(root=tmp_path / "home", shipped=tmp_path / "precomputed")
    results = [Result.load(Store(), entry.key) for entry in entries]
    lower = figure().model_copy(update={"value": 0.61})
    for headline_of_several, shown in ((None, ["accuracy_perturbed_mean", "accuracy"]), (lower, ["accuracy"])):
        for entry, result in zip(entries, results, strict=True):
            assert result is not None
            changed = {"accuracy": headline_of_several} if headline_of_several and entry is entries[1] else {}
            replace(result, estimates={**result.estimates, **changed}).save(store, entry.key)
            store.ship(entry.key)
        page, index = published.pages(store, entries).values()
        row = next(line for line in page.splitlines() if "`translations_several_queries`" in line)
        assert re.findall(r"`(accuracy\w*)` 0", row) == shown
        assert (
            re.findall(r"`(accuracy\w*)` 0", index.partition("`translations_several_queries`")[2].split("\n")[0])
            == shown
        )
        first = next(line for line in page.splitlines() if "`translations_over_trained`" in line)
        assert re.findall(r"`(accuracy\w*)` 0", first) == ["accuracy"]


def test_a_result_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"demo: no intact result .* --only demo"):
        published.pages(Store(root=tmp_path, shipped=tmp_path / "absent"), (catalog.matching("demo")[0],))


@pytest.mark.parametrize(
    ("estimates", "names"),
    [
        ({"accuracy": figure(), "accuracy_100": figure(members=5), "accuracy_1": figure(members=5)}, [1, 100]),
        ({"auc": figure(), "accuracy": figure(), "accuracy_128": figure(decisions=5)}, [0]),
        ({"queries": figure(None), "exposure": figure()}, [0]),
        ({"queries": figure(None)}, []),
    ],
)
def test_the_estimates_that_stand_for_a_result(estimates: dict[str, Estimate], names: list[int]) -> None:
    assert list(headline(estimates)) == names
    assert set(headline(estimates).values()) <= set(estimates)


def test_the_index_gives_the_chance_of_each_figure_which_a_broken_split_has_by_the_texts(
    pages: dict[Path, str],
) -> None:
    rows = {row.split("`")[3]: row for row in pages[SHIPPED / "INDEX.md"].splitlines() if row.startswith("| [`")}
    for entry in catalog.entries():
        result = Result.load(Store(), entry.key, tables=False)
        assert result is not None
        chances = rows[entry.name].rpartition(" | ")[2].removesuffix(" |").split("<br>")
        names = rows[entry.name].split(" | ")[3].split("<br>")
        assert len(chances) == len(names), entry.name
        for name, chance in zip(names, chances, strict=True):
            level = result.estimates[name.split("`")[1]].chance
            assert chance == ("none" if level is None else f"{level:.3g}")
        if entry.name == "loss_membership_broken_split":
            assert chances == [f"{result.estimates['accuracy_model_free_1'].value:.3g}"] != ["0.5"]
