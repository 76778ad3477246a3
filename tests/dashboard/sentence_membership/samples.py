"""Made-up results of sentence membership: what encoders give is invented, tables come from the game's own scoring."""

from functools import cache

import numpy as np

from core.experiment import Experiment
from core.games.example_membership.contract import Examples
from core.games.example_membership.score import Scorer
from core.result import Estimate, Result
from core.statistics.likelihood_ratio import RULES
from core.statistics.wording.variants import BLIND
from tests.dashboard.samples import PROVENANCE

STATISTICS = ("similarity", "projection")
COURSE = (0, 1, 5)


@cache
def passages(level=2.0, sizes=(2, 5, 20), each=6, dataset="wikipedia_excerpt", statistics=STATISTICS, seed=4711):
    """Return a result with a seed that has none precomputed; `level` is how much the longest passages stand out."""
    experiment = Experiment.parse(
        {
            "attack": {"part": "sentence_similarity", "sizes": sizes},
            "dataset": {"part": dataset},
            "model": {"part": "dual_encoder", "epochs": COURSE[-1]},
            "game": {"couples": 4, "examples": max(each, 5)},
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(sizes)), each)
    rows = np.arange(len(group)) + 3
    examples = Examples(
        rows,
        np.zeros(len(group), np.int64),
        tuple(("A sentence.",) * sizes[number] for number in group),
        tuple(f"{size} sentences" for size in sizes),
        group,
        np.full(len(sizes), 500),
        np.full(len(sizes), 200),
        np.zeros(len(group)),
        answer=int(np.argmax(sizes)),
    )
    member = experiment.game.draw(int(rows.max()) + 1, seed)[:, rows]
    scorer = Scorer(examples, rows, member, experiment.game.couple, seed)
    apart = level * np.sqrt(np.array(sizes)[group] / max(sizes)) * member
    for number, name in enumerate(statistics):
        noise = rng.normal(size=member.shape)
        for passes in COURSE:
            observed = passes / COURSE[-1] * apart / (1 + number) + noise
            for rule, decide in RULES.items():
                score = experiment.game.judge(decide, observed, member, group)
                scorer.follow(passes, name, rule, score)
                if passes == COURSE[-1]:
                    scorer.add(name, rule, observed, score)
    alone = np.tile(examples.rarity, (len(member), 1))
    scorer.add(BLIND, "one_threshold", alone, alone)
    estimates = {
        **scorer.estimates(),
        "neighbours_train": found(0.6),
        "neighbours_test": found(0.05),
        "queries": Estimate.queries(4.0, "Texts asked."),
    }
    return Result(experiment.as_dict(), estimates, PROVENANCE, {**scorer.tables(), **scorer.course()})


def found(share):
    """Return how often an encoder finds the sentence that follows."""
    return Estimate(value=share, low=share - 0.02, high=share + 0.02, chance=0.01, unit="share of sentences")
