"""The command show prints what is stored, by name and by key, as run does, and computes nothing."""

import json
from pathlib import Path

import pytest

from core import __main__ as command_line
from core import catalog
from core.commands import show
from core.datasets.documents import Documents
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from tests.errands import tiny

DEMO = Experiment.preset("word_pairs", "demo")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Standard output of a command that succeeds."""
    assert command_line.main(arguments) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that refuses."""
    assert command_line.main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_result_is_printed_as_run_prints_it(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    ran = said(capsys, "run", "word_pairs", "--preset", "demo", *options)
    (name,) = (entry.name for entry in catalog.entries() if entry.key == DEMO.key)
    for text in (name, DEMO.key, f"{name[:-1]}[{name[-1]}]"):
        assert said(capsys, "show", text, *options) == ran


def test_a_pattern_lists_names_titles_and_main_figures(capsys: pytest.CaptureFixture[str]) -> None:
    listed = said(capsys, "show", "figure_4*")
    assert listed.splitlines()[0] == "figure_4_cbow: Shadow models from other mailing lists, CBOW"
    result = Result.load(Store(), catalog.matching("figure_4_cbow")[0].key, tables=False)
    assert result is not None
    of_100 = result.estimates["accuracy_100"]
    line = " ".join(listed.splitlines()[3].split())
    assert line == f"accuracy_100 {of_100.value:.3f} [{of_100.low:.3f}, {of_100.high:.3f}] chance 0.5 n {of_100.n}"
    assert [line.partition(":")[0] for line in listed.splitlines() if not line.startswith(" ")] == [
        "figure_4_cbow",
        "figure_4_skip_gram",
    ]
    as_json = json.loads(said(capsys, "show", "figure_4*", "--json"))["results"]
    assert [row["name"] for row in as_json] == ["figure_4_cbow", "figure_4_skip_gram"]
    assert as_json[0]["estimates"]["accuracy_100"] == of_100.plain()
    assert list(as_json[0]["estimates"]) == ["accuracy_1", "accuracy_10", "accuracy_100"] and as_json[0]["stored"]


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    titled = [line for line in said(capsys, "show").splitlines() if not line.startswith(" ")]
    assert titled == [f"{entry.name}: {entry.title}" for entry in catalog.entries()]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("figure_4", "'figure_4'. Did you mean 'figure_4_cbow' or 'figure_4_skip_gram'?"),
        ("figure_4_cbov", "'figure_4_cbov'. Did you mean 'figure_4_cbow'?"),
        ("figure_4_cb0w*", "'figure_4_cb0w*'. Did you mean 'figure_4_cbow'?"),
        (DEMO.key[:8], f"'{DEMO.key[:8]}'. Did you mean '{DEMO.key}'?"),
        ("deadbeef", "'deadbeef'. See what 'python -m core show' lists, or precomputed/INDEX.md."),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str], name: str, near: str) -> None:
    assert f"No stored result is named {near}" in refused(capsys, "show", name)


@pytest.mark.parametrize("name", ["", "[", "\0", "\n", "\udcff", "../results.md", "..", "9" * 5000])
def test_whatever_the_name_it_is_refused_in_one_line(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert refused(capsys, "show", name).startswith("UnknownPart: No stored result is named ")


def test_figures_of_several_sizes_together_are_said_to_mix_scales(capsys: pytest.CaptureFixture[str]) -> None:
    assert "read areas and low rates by size." in said(capsys, "show", "figure_3_cbow")
    assert "by size" not in said(capsys, "show", "mailboxes")
    assert "by size" not in said(capsys, "show", "keywords_skytrax_white_box")


def test_of_what_is_not_stored_the_command_is_named_that_computes_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(show, "Store", lambda: Store(root=tmp_path, shipped=tmp_path / "absent"))
    computes = "'python -m core precompute --only figure_4_cbow' computes it."
    assert computes in refused(capsys, "show", "figure_4_cbow")
    assert computes in refused(capsys, "show", "figure_4_cbow", "--json")
    assert computes in said(capsys, "show", "figure_4*").splitlines()[1]
    row, _ = json.loads(said(capsys, "show", "figure_4*", "--json"))["results"]
    assert (row["stored"], row["estimates"]) == (False, {})


def test_a_result_on_own_documents_is_shown_under_its_key_where_they_are_gone(
    capsys: pytest.CaptureFixture[str], planted: Documents, tmp_path: Path
) -> None:
    source = tmp_path / "own.csv"
    source.write_bytes(Path(planted.source).read_bytes())
    experiment = Experiment.parse(tiny(str(source)))
    key, like = experiment.key, Result.load(Store(), DEMO.key)
    assert like is not None
    Result(experiment.as_dict(), like.estimates, like.provenance, like.tables).save(Store(), key)
    assert "own.csv: 480 of 480 rows read as documents" in said(capsys, "show", key)
    for change in (lambda: source.write_text("text\nquite another\n"), source.unlink):
        change()
        shown = said(capsys, "show", key)
        assert "own.csv: changed since, or not on this machine any more." in shown
        assert f", key {key}, stored" in shown and shown.endswith(f"/word_pairs?view.result={key}\n")
        assert json.loads(said(capsys, "show", key, "--json"))["key"] == key
