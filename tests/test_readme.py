"""What the README and the pages in docs/ tell people to do works."""

import re
from pathlib import Path

import pytest

from core import __main__ as command_line
from core import catalog
from core.catalog import seeds
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from tests.errands import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "precomputed" / "README.md"])
each_page = pytest.mark.parametrize("page", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])


@each_page
def test_the_targets_of_make_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"(?:`| {4})make (\w+)", page.read_text("utf-8"))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@each_page
def test_the_commands_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in set(re.findall(r"(?:python -m core|`telltale) ([a-z]+)", page.read_text("utf-8"))):
        with pytest.raises(SystemExit) as end:
            command_line.main([command, "--help"])
        assert end.value.code == 0, capsys.readouterr().err


WRITTEN = [path for path in PAGES if path.parent != ROOT / "precomputed"]


@pytest.mark.parametrize(
    "page", [*WRITTEN, *(ROOT / "core" / "report" / "templates").iterdir()], ids=lambda path: path.name
)
def test_a_percent_sign_stands_at_its_number(page: Path) -> None:
    assert not re.findall(r".*\d %(?![}\d]).*", page.read_text("utf-8"))


@each_page
def test_what_it_links_to_exists(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


def test_the_result_it_shows_is_the_stored_one(capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    assert command_line.main(["run", "word_pairs", "--preset", "demo"]) == 0
    assert shown == capsys.readouterr().out


def test_the_accuracy_over_seeds_is_that_of_the_stored_results() -> None:
    demo = Experiment.preset("word_pairs", "demo").key
    (group,) = (group for group in seeds.repeated(catalog.entries()) if demo in {entry.key for entry in group})
    results = [Result.load(Store(), entry.key) for entry in group]
    mean = seeds.mean([result.estimates["accuracy"] for result in results if result is not None])
    assert len(group) == 5
    assert f"Over five seeds the accuracy is {mean.value:.2f} on average [{mean.low:.2f}, {mean.high:.2f}]" in README
