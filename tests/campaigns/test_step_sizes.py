"""The table of step sizes: one that learns nothing is told from one that does, and no target is read."""

from pathlib import Path

import numpy as np
import pytest

from core.catalog import matching
from core.experiment import Experiment
from core.models.causal_lm import CausalLm
from core.runtime.store import Store
from core.targets.training_job import TrainingJob
from tests.campaigns.step_sizes import ARTICLES, ENTRIES, articles, lines, measured
from tests.language_models import causal, documents
from tests.stand_ins import context

GAME = {"rules": "half", "target_sizes": [1], "targets": 4, "plays": 2, "documents": 20}


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    documents(["in"] * 90).to_csv(tmp_path / "texts.csv", index=False)
    base = causal(tmp_path / "base", vocabulary=330)
    model = {"part": "causal_lm", "base": str(base), "epochs": 2, "batch": 2, "context": 32, "learning_rate": 1e-2}
    dataset = {"part": "documents", "source": str(tmp_path / "texts.csv")}
    return Experiment.parse({"attack": "likelihood_ratio", "dataset": dataset, "model": model, "game": GAME})


def test_a_step_size_that_learns_nothing_is_told_from_one_that_does(
    experiment: Experiment, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[TrainingJob] = []
    train = CausalLm.train_targets
    monkeypatch.setattr(CausalLm, "train_targets", lambda *given: jobs.append(given[1]) or train(*given))
    rows = list(measured(experiment, context(store), rates=(1e-6, 1e-2), models=2))
    base, idle, learnt = rows
    assert learnt.held_out.high < idle.held_out.low
    assert base.rate == 0 and idle.held_out.value == pytest.approx(base.held_out.value, rel=0.01), "hardly another"
    assert learnt.trained.value < learnt.held_out.value
    texts = experiment.dataset.load()
    split = experiment.game.draw_split(texts, experiment.seed)
    half = {" ".join(words) for words in texts.corpus(split.adversary, None).texts()}
    assert all({" ".join(words) for words in job.corpus.texts()} <= half for job in jobs), "no target among them"
    assert all(len(np.unique(chosen)) == 20 for job in jobs for chosen in job.selections)
    printed = list(lines(rows, 1e-2))
    assert len(printed) == 4 and printed[1].startswith("the base")
    assert "chosen, lowest" in printed[3] and not {"chosen", "lowest"} & set(
        " ".join(printed[1:3]).replace(",", "").split()
    )


def test_other_experiments_are_refused_by_name(store: Store) -> None:
    (entry,) = matching("demo_loss_membership")
    with pytest.raises(SystemExit, match="Got loss_membership in lstm_lm instead; likelihood_ratio_mess"):
        next(measured(entry.experiment, context(store)))


def test_what_it_names_is_promised_and_articles_are_played_with_the_same_step_sizes() -> None:
    of_messages = [entry.experiment for name in ENTRIES for entry in matching(name)]
    assert len(of_messages) == len(ENTRIES)
    of_articles = [articles(changes) for changes in ARTICLES.values()]
    rates = [[each.model.learning_rate for each in experiments] for experiments in (of_articles, of_messages)]
    assert rates[0] == rates[1][:2]
