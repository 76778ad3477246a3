"""What the README and the pages in docs/ tell people to do works."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from core import __main__ as command_line
from core import catalog
from core.audits.profiles import PROFILES
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


def commands(text: str) -> set[tuple[str, ...]]:
    """Return the commands of a page with their options: first the words, then the names of the options."""
    found = set()
    for words, rest in re.findall(r"(?:python -m core|`telltale)((?: [a-z_]+)+)([^`\n|;&]*)", text):
        found.add((*words.split(), *sorted(set(re.findall(r"(?<= )--[a-z-]+", rest)))))
    return found


@each_page
def test_the_commands_and_their_options_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in commands(page.read_text("utf-8")):
        words = [word for word in command if not word.startswith("--")]
        with pytest.raises(SystemExit) as end:
            command_line.main([*words, "--help"])
        said = capsys.readouterr()
        assert end.value.code == 0, (command, said.err)
        options = set(command) - set(words)
        assert options <= set(re.findall(r"--[a-z-]+", said.out)), (command, options)


def test_each_command_of_the_workflow_parses_and_its_reports_find_their_keys(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "reports.md").read_text("utf-8"), re.DOTALL)
    (job,) = yaml.safe_load(text)["jobs"].values()
    install, *lines = [step["run"] for step in job["steps"] if "run" in step]
    assert re.fullmatch(r'pip install "telltale @ git\+https://\S+@\S+"', install), "not the visitor's own package"
    asked, written, keys = [], [], {"vectors.json": {"keys": list("abcdefgh")}, "model.json": {"key": "m"}}
    for name, content in keys.items():
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    for line in lines:
        for code in re.findall(r"\$\(python -c '(.*?)'\)", line):
            shown = subprocess.run(
                [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
            )
            line = line.replace(f"$(python -c '{code}')", shown.stdout.strip())
        program, *words = shlex.split(line)
        before, _, after = " ".join(map(shlex.quote, words)).partition("'>'")
        assert program == "telltale"
        asked.append(command_line._parser().parse_args(shlex.split(before)))
        written += shlex.split(after)
    audit, report, other_audit, other_report = asked
    assert written == list(keys), "each JSON is of the audit that its report follows"
    assert audit.fail_if and audit.profile in PROFILES and audit.json and other_audit.fail_if and other_audit.json
    assert (report.keys, other_report.keys) == (list("abcdefgh"), ["m"])


def test_the_pages_name_most_commands() -> None:
    named = set().union(*(commands(page.read_text("utf-8")) for page in PAGES))
    assert {("audit", "vectors"), ("audit", "model"), ("report", "verify")} <= {command[:2] for command in named}
    assert sum(word.startswith("--") for command in named for word in command) > 50


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
    assert command_line.main(["run", "word_pairs", "--preset", "demo", "--json"]) == 0
    said = " ".join(json.loads(capsys.readouterr().out)["said"])
    assert "right in 84% of 160 decisions" in said and "right in 84% of 160 decisions" in " ".join(shown.split())


def test_the_accuracy_over_seeds_is_that_of_the_stored_results() -> None:
    demo = Experiment.preset("word_pairs", "demo").key
    (group,) = (group for group in seeds.repeated(catalog.entries()) if demo in {entry.key for entry in group})
    results = [Result.load(Store(), entry.key) for entry in group]
    mean = seeds.mean([result.estimates["accuracy"] for result in results if result is not None])
    assert len(group) == 5
    assert f"Over five seeds the accuracy is {mean.value:.2f} on average [{mean.low:.2f}, {mean.high:.2f}]" in README
