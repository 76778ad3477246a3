"""More shadow models take more time, not more memory."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.errands import QUICK, ROOT, python


def peak_memory_mb(home: Path, pairs: int) -> float:
    """Peak of a run of its own and of its two workers, in megabytes."""
    command = python(
        "-m",
        "core",
        "run",
        "word_pairs",
        "--preset",
        "demo",
        "--workers",
        "2",
        "--json",
        "--set",
        f"attack.shadow_pairs={pairs}",
        "--set",
        "attack.baselines=false",
        "--set",
        "game.plays=2",
        "--set",
        "game.documents=300",
        "--set",
        "model.trainer=gensim",
        "--set",
        "model.epochs=1",
        "--set",
        "model.dimension=8",
    )
    paths = {"TELLTALE_HOME": str(home), "PYTHONPATH": str(QUICK), "PATH": "/usr/bin:/bin"}
    said = subprocess.check_output(command, cwd=ROOT, env=paths, stderr=subprocess.DEVNULL)
    found = json.loads(said)
    assert not found["cached"]
    assert found["provenance"]["trainings"] >= 2 * pairs
    return float(found["provenance"]["peak_memory_mb"])


@pytest.mark.slow
def test_peak_memory_does_not_grow_with_the_number_of_shadow_models(tmp_path: Path) -> None:
    few, many = (peak_memory_mb(tmp_path / str(pairs), pairs) for pairs in (5, 100))
    # Twenty times the rows in memory would be 70 MB more.
    assert many < few + 40
