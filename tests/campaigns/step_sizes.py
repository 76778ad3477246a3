"""How well fine-tuned language models predict held-out documents by the step size of their training; -m.

It shows the step sizes of promised results beside others. No target is read, and no attack is played: models are
trained on documents of the adversary's half, and predict others of that half.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core import catalog
from core.catalog.entry import varied
from core.experiment import Experiment
from core.games.membership import Membership
from core.models.causal_lm import CausalLm
from core.result import Estimate
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.seeding import generator
from core.targets.trained_target import utility_estimates
from core.targets.training_job import MOST_TEST_DOCUMENTS, TrainingJob

RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2)
MODELS = 3
"""Models of each step size, each trained on documents of its own draw."""
ENTRIES = ("likelihood_ratio_messages_3_epochs_seed_2", "messages_rank_8", "messages_epsilon_8")
"""Promised results whose step sizes can be measured: of all weights, of adapters, and of private adapters."""
ARTICLES: Mapping[str, Mapping[str, Any]] = {
    "Articles of the excerpt, all weights": {"learning_rate": 1e-3},
    "Articles of the excerpt, adapters of rank 8": {"rank": 8, "learning_rate": 1e-2},
}
"""What is measured unless results are named: small and quick, with the step sizes of those."""


@dataclass(frozen=True)
class Measured:
    """What came of a step size.

    Attributes:
        rate: The step size; 0 of the base, which is not trained.
        held_out: Perplexity of documents that were not trained on.
        trained: Perplexity of those that were.
    """

    rate: float
    held_out: Estimate
    trained: Estimate


def measured(
    experiment: Experiment, context: RunContext, rates: tuple[float, ...] = RATES, models: int = MODELS
) -> Iterator[Measured]:
    """Yield what the base predicts, and what comes of each step size in an experiment, under its defenses.

    Args:
        experiment: A game of membership with a fine-tuned language model.
        context: Where models are trained.
        rates: The step sizes.
        models: Models of each, at least two.

    Raises:
        SystemExit: The experiment is another.
    """
    game, model, seed = experiment.game, experiment.model, experiment.seed
    if not isinstance(game, Membership) or not isinstance(model, CausalLm):
        raise SystemExit(
            "Step sizes are those of membership in a fine-tuned language model. "
            f"Got {experiment.attack.part_name()} in {model.part_name()} instead; {ENTRIES[0]} would do."
        )
    documents = experiment.dataset.load()
    rng = generator(seed, "step sizes")
    half = game.draw_split(documents, seed).adversary
    trained = min(game.documents, len(half) // 2)
    corpus = documents.corpus(rng.permutation(half)[: trained + MOST_TEST_DOCUMENTS], model.vocabulary())
    selections = [rng.choice(len(corpus), trained, replace=False) for _ in range(models)]
    identity = {"step sizes": 1, "dataset": experiment.dataset.identity(), "game": game.identity(), "seed": seed}
    untrained = model.replace(epochs=0, rank=0)
    for rate, other in [(0.0, untrained), *((rate, model.replace(learning_rate=rate)) for rate in rates)]:
        defenses = experiment.defenses if rate else ()
        named = {**identity, "models": models, "model": other.identity()}
        if defenses:
            named["defenses"] = [defense.identity() for defense in defenses]
        job = TrainingJob(corpus, selections, named, seed, defenses=defenses)
        figures = utility_estimates(other.train_targets(job, context))
        yield Measured(rate, figures["perplexity_test"], figures["perplexity_train"])


def articles(changes: Mapping[str, Any]) -> Experiment:
    """Return a game on the first 64 tokens of a hundred articles, with the model changed."""
    return varied("likelihood_ratio", "demo", model={"part": "causal_lm", "context": 64, "epochs": 3, **changes})


def lines(rows: list[Measured], chosen: float) -> Iterator[str]:
    """Yield a table of the step sizes, which names the one that is chosen and the best."""
    yield "step size   held-out perplexity        perplexity of what was trained on"
    best = min(rows, key=lambda row: row.held_out.value)
    for row in rows:
        spread = f"{row.held_out.value:8.2f} [{row.held_out.low:.2f}, {row.held_out.high:.2f}]"
        marks = [mark for mark, is_so in (("chosen", row.rate == chosen), ("lowest", row is best)) if is_so]
        size = f"{row.rate:g}" if row.rate else "the base"
        yield f"{size:9}  {spread:27}{row.trained.value:8.2f}   {', '.join(marks)}".rstrip()


def main() -> None:
    """Measure the step sizes of articles or of some promised results, and print a table of each."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.step_sizes")
    parser.add_argument("entries", nargs="*", help=f"promised results, such as {', '.join(ENTRIES)}; else articles")
    parser.add_argument("--workers", type=int, default=0, help="processes, one a core unless said otherwise")
    options = parser.parse_args()
    context = RunContext(engine=Engine(workers=options.workers))
    chosen = {entry.title: entry.experiment for name in options.entries for entry in catalog.matching(name)}
    for title, experiment in (chosen or {title: articles(changes) for title, changes in ARTICLES.items()}).items():
        rows = list(measured(experiment, context))
        print(f"{title}. {MODELS} models of each step size; 95% intervals over them.")
        print(*lines(rows, experiment.model.learning_rate), sep="\n", flush=True)


if __name__ == "__main__":
    main()
