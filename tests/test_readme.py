"""What the README tells people to do works."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import core.attacks
from core import registry
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store

README = (Path(__file__).parents[1] / "README.md").read_text()


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put the README's example attack where its text says: into the folder of attacks."""
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "close_neighbours.py").write_text(code)
    monkeypatch.setattr(core.attacks, "__path__", [*core.attacks.__path__, str(tmp_path)])
    registry.names.cache_clear()
    yield "close_neighbours"
    registry.names.cache_clear()


def test_the_example_attack_is_found_and_plays(example: str, planted: Any, store: Store) -> None:
    game = {"users": "owners", "target_sizes": [10], "targets": 4, "plays": 6, "documents": 150}
    model = {"part": "word2vec", "dimension": 8, "minimum_count": 2, "epochs": 3}
    attack = {"part": example, "documents": 10}
    experiment = Experiment.parse({"attack": attack, "dataset": planted, "model": model, "game": game})
    result, _ = run(experiment, RunContext(store=store))
    assert result.estimates["queries"].value > 0
    assert {"accuracy", "accuracy_model_free"} <= set(result.estimates)


def test_the_commands_it_names_exist() -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text()
    for target in set(re.findall(r"`make (\w+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_images_it_shows_exist() -> None:
    for image in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / image).is_file(), image
