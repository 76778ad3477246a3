"""The course of the game over training: loss, the adversary's figures and translation quality, by epoch."""

from collections.abc import Sequence
from typing import Any

from core.games.translation_membership.group_counts import SIZE
from core.games.translation_membership.score.answers import ACCURACY, METHOD, Answers
from core.games.translation_membership.score.translations import Quality
from core.result import Column, Schema
from core.runtime.seeding import generator
from core.statistics.measures import AUC
from core.targets.trained_target import Epoch

HOLDERS = ("shadow", "undefended_shadow")
"""Holders of the adversary's models: those behind the defenses that it knows, and those of who chooses without them."""
Rows = list[dict[str, Any]]
"""Rows of a table, each with its values by column."""

SCHEMAS: dict[str, Schema] = {
    "training": {
        "holder": Column("str", "'target', 'shadow', or 'undefended_shadow' of an adversary that prepares both ways."),
        "model": Column("int32", "Number of the model."),
        "passes": Column("int32", "Epochs trained so far."),
        "loss": Column("float64", "Mean training loss of a token in that epoch, in nats."),
        "perplexity": Column("float64", "On validation pairs after it."),
    },
    "course": {
        "passes": Column("int32", "Epochs trained so far; 0 for models that were never trained."),
        **METHOD,
        **ACCURACY,
        **AUC,
        "auc_chance_low": Column("float64", "Lower end of the range in which 95% of areas lie by chance alone."),
        "auc_chance_high": Column("float64", "Upper end of that range."),
        "accuracy_chance_low": Column("float64", "Lower end of the range in which 95% of accuracies lie so."),
        "accuracy_chance_high": Column("float64", "Upper end of that range."),
        "group_auc": Column("float64", f"Area under the ROC curve for groups of {SIZE}; NaN where probes are fewer."),
    },
    "quality": {
        "passes": Column("int32", "Epochs trained so far."),
        "corpus": Column("str", "Name of the subcorpus."),
        "member": Column("bool", "Whether the model was trained on the pairs."),
        "corpus_bleu": Column("float64", "BLEU of all translations together, from 0 to 100; mean over target models."),
    },
}


class Course:
    """Collects the rows of the tables in `SCHEMAS`, by name."""

    def __init__(self) -> None:
        """Start without rows."""
        self.rows: dict[str, Rows] = {name: [] for name in SCHEMAS}

    def trained(self, holder: str, epochs: Sequence[Sequence[Epoch]]) -> Rows:
        """Replace the rows on the training of one holder's models; return the rows on all training.

        Args:
            holder: 'target', or one of `HOLDERS`.
            epochs: By model, its epochs so far.
        """
        self.rows["training"] = [row for row in self.rows["training"] if row["holder"] != holder] + [
            {"holder": holder, "model": model, "passes": epoch.number, "loss": epoch.loss}
            | {"perplexity": epoch.perplexity}
            for model, of_model in enumerate(epochs)
            for epoch in of_model
        ]
        return self.rows["training"]

    def attacked(self, epoch: int, answers: Answers, measured: Sequence[Quality]) -> None:
        """Add the figures of an adversary, and the quality of translations, after some epochs of training."""
        for method, figures in answers.figures.items():
            decisions, rng = answers.decisions(method), generator(answers.seed, "guessing")
            auc_low, auc_high = decisions.chance_areas(rng)
            accuracy_low, accuracy_high = decisions.chance_shares(rng)
            self.rows["course"].append(
                {
                    "passes": epoch,
                    **answers.columns(method),
                    **figures["accuracy"].columns("accuracy"),
                    **figures["auc"].columns("auc"),
                    "auc_chance_low": auc_low,
                    "auc_chance_high": auc_high,
                    "accuracy_chance_low": accuracy_low,
                    "accuracy_chance_high": accuracy_high,
                    "group_auc": answers.grouped(SIZE, answers.scores(method), 0.0).auc.value,
                }
            )
        self.rows["quality"] += [
            {
                "passes": epoch,
                "corpus": answers.split.bitext.corpora[quality.corpus].name,
                "member": quality.member,
                "corpus_bleu": quality.corpus_bleu,
            }
            for quality in measured
        ]
