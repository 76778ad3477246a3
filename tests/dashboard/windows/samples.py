"""Made-up results of window membership: what models give is invented, tables come from the game's own scoring."""

import numpy as np

from core.experiment import Experiment
from core.games.example_membership.contract import Examples
from core.games.example_membership.score import Scorer
from core.result import Estimate, Result
from core.statistics.likelihood_ratio import RULES
from core.statistics.wording.variants import BLIND
from tests.dashboard.samples import PROVENANCE, made_once

ATTACK = "window_similarity"
BANDS = ("5–9", "10–19", "20–49", "50–199", "200 or more")


@made_once
def windows(
    level=3.0,
    bands=BANDS,
    each=6,
    couples=4,
    similarity="inner_output",
    dataset="wikipedia_excerpt",
    model="word2vec",
    seed=4711,
):
    """Return a result with a seed that has none precomputed; `level` is how much the rarest windows stand out."""
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, "similarity": similarity},
            "dataset": {"part": dataset},
            "model": {"part": model},
            "game": {"couples": couples, "examples": max(each, 5)},
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    several = each * len(bands)
    rows = np.arange(several) // 2 + 3
    group = np.repeat(np.arange(len(bands)), each)
    examples = Examples(
        rows,
        np.arange(several) % 7,
        (("word",) * 11,) * several,
        tuple(bands),
        group,
        np.full(len(bands), 500),
        np.full(len(bands), 200),
        -1.0 * group,
    )
    member = experiment.game.draw(int(rows.max()) + 1, seed)[:, rows]
    scorer = Scorer(examples, rows, member, experiment.game.couple, seed)
    names = ("inner_output", "cosine") if similarity == "inner_output" else ("cosine",)
    for number, name in enumerate(names):
        apart = level / (1 + number) * (1 - group / max(len(bands), 2))
        observed = apart * member + rng.normal(size=member.shape)
        for rule, decide in RULES.items():
            scorer.add(name, rule, observed, experiment.game.judge(decide, observed, member, group))
    alone = np.tile(examples.rarity, (len(member), 1))
    scorer.add(BLIND, "one_threshold", alone, alone - np.median(alone))
    estimates = {**scorer.estimates(), "queries": Estimate.queries(6.0, "Words asked.")}
    return Result(experiment.as_dict(), estimates, PROVENANCE, scorer.tables())
