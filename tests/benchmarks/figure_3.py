"""What Figure 3 costs by the paper's scheme and a plain loop of gensim, and what it cost here; run with python -m."""

import json
import os
import time

from core import catalog
from core.result import Result
from core.runtime.store import Store
from tests.benchmarks.training_race import MINIMUM_COUNT, corpus, gensim_model, selection


def main() -> None:
    """Time one gensim training at the paper's setting and set it against the recorded pooled run."""
    entry = catalog.matching("figure_3_cbow")[0]
    game, attack = entry.experiment.game, entry.experiment.attack
    result = Result.load(Store(), entry.experiment.key)
    if result is None:
        raise SystemExit(f"{entry.name} has no precomputed result: python -m core precompute --only {entry.name}")
    emails = corpus()
    chosen = selection(emails, 0, game.documents)
    sentences = [[emails.words[token] for token in emails.document(number)] for number in chosen]
    start = time.perf_counter()
    gensim_model(sentences, skip_gram=False, seed=1)
    gensim_seconds = time.perf_counter() - start

    targets = game.targets * len(game.target_sizes)
    plays_of_each_target = 5
    needed = targets * (2 * attack.shadow_pairs + plays_of_each_target)
    measured = result.provenance
    pooled = game.plays + 2 * attack.shadow_pairs
    pooled_seconds = measured.wall_seconds + measured.training_seconds / measured.cores
    line = {
        "name": "figure_3",
        "ratio": round(gensim_seconds * needed / pooled_seconds, 1),
        "compared": (
            f"{needed} trainings that the paper's scheme needs (two a shadow pair for each of {targets} targets, and "
            f"{plays_of_each_target} target models each), by a loop of gensim with {os.cpu_count()} workers at the "
            f"measured cost of one, over the recorded cost of the pooled scheme with {pooled} trainings: all of them, "
            f"and the whole wall time of the run that ended it"
        ),
        "figures": {
            "gensim_seconds_per_model": round(gensim_seconds, 2),
            "trainings_by_the_papers_scheme": needed,
            "pooled_trainings": pooled,
            "pooled_seconds": round(pooled_seconds, 1),
            "documents": game.documents,
            "minimum_count": MINIMUM_COUNT,
        },
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
