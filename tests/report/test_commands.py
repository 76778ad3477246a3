"""The command report and the condition of a run: what they write, refuse, and end with."""

import json
from pathlib import Path

import pytest

from core import __main__ as command_line
from core import catalog
from core.errors import TelltaleError
from core.report import build
from core.report.evidence import MOST
from core.runtime.store import Store


def test_the_command_writes_verifies_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, data = tmp_path / "report.html", tmp_path / "report.json"
    assert command_line.main(["report", "demo", "-o", str(page), "-o", str(data), "--declare", "system=A search"]) == 0
    assert command_line.main(["report", "verify", str(page)]) == 0
    output = capsys.readouterr().out
    assert "Unchanged" in output and "The page shows" in output
    assert command_line.main(["report", "verify", str(data)]) == 0
    assert "The file holds its evidence" in (output := capsys.readouterr().out) and "page" not in output
    page.write_bytes(page.read_bytes().replace(b"A search", b"A sieve "))
    assert command_line.main(["report", "verify", str(page)]) == 1
    other = tmp_path / "vectors.npy"
    other.write_bytes(b"\x93NUMPY")
    refused = {
        "Did you mean 'demo'?": ["demoo", "-o", str(page)],
        "'nosuchkey'. See what 'python -m core show' lists, or precomputed/INDEX.md.": ["nosuchkey"],
        "No report is written as '.txt'. There are .html, .md and .json.\n": ["demo", "-o", "report.txt"],
        "cannot be read": ["verify", str(tmp_path / "none")],
        "vectors.npy is no report": ["verify", str(other)],
    }
    for message, words in refused.items():
        assert command_line.main(["report", *words]) == 1
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        command_line.main(["report", "verify"])
    assert "required: FILE" in capsys.readouterr().err
    with pytest.raises(TelltaleError):
        build([entry.name for entry in catalog.entries()[: MOST + 1]], Store())


@pytest.mark.parametrize(
    ("condition", "status"), [("accuracy.low > 0.5", 3), ("accuracy.low > 0.99", 0), ("auk.low > 0", 1)]
)
def test_a_run_ends_with_3_where_a_condition_holds(
    condition: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["run", "word_pairs", "--fail-if", condition, "--json"]) == status
    output = capsys.readouterr()
    if status == 1:
        assert not output.out and "Did you mean 'auc'?" in output.err, "it is refused before the run"
        return
    assert json.loads(output.out)["estimates"]["accuracy"]["low"] > 0.5
    assert ("fulfils the condition" in output.err) is (status == 3)


def test_a_condition_of_another_form_is_a_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line.main(["run", "word_pairs", "--fail-if", "auc > 0.55"])
    assert ended.value.code == 2
    assert "'auc.low > 0.55'" in capsys.readouterr().err
