"""Reads embeddings by a search for their texts: names words by the proposals and a classifier, and says the closest."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries.search.guided_search import GuidedSearch
from core.games.inversion.contract import Answer, Examined, InversionAdversary
from core.result import Column, Schema, Tables, table
from core.text import word_sets

SEARCH: Schema = {
    "round": Column("int32", "Round of the search; 0 is what is written at first."),
    "guesses": Column("float64", "Guesses embedded for a text by then, mean over the adversary's held-out texts."),
    "closeness": Column("float64", "Cosine of the closest of them, mean over these texts."),
    "guesses_f1": Column("float64", "Best F1 on these texts from the guesses alone."),
    "left_out_f1": Column("float64", "Best F1 on these texts from guesses and classifier, as was chosen."),
}
CHOICES: Schema = {
    "trust": Column("float64", "Weight of the guesses beside the classifier, from 0 to 1."),
    "sharpness": Column("float64", "How much more a closer guess weighs."),
    "threshold": Column("float64", "Best threshold with both."),
    "left_out_f1": Column("float64", "F1 with it on the adversary's held-out texts."),
    "chosen": Column("bool", "Whether the adversary takes it."),
}

_SHARPNESSES = (20.0, 40.0, 80.0, 160.0, 320.0)
_TRUSTS = (0.0, 0.1, 0.25, 0.5, 0.75)


@dataclass(frozen=True)
class SearchReader(InversionAdversary):
    """A search, and the rule that predicts words from it.

    Attributes:
        words: The words that it can predict.
        search: The search.
        choices: Rows of the trusts and sharpnesses that were tried on the held-out texts.
        rounds: Rows of the rounds of the search there.
    """

    words: tuple[str, ...]
    search: GuidedSearch
    choices: tuple[dict[str, Any], ...]
    rounds: tuple[dict[str, Any], ...]

    @classmethod
    def fitted(cls, search: GuidedSearch, texts: Examined) -> "SearchReader":
        """Return the reader with the best F1 on the held-out texts."""
        vectors, present, sizes = texts.left_out
        searched = search.run(vectors)
        proposed = {sharpness: searched.proposed(sharpness) for sharpness in _SHARPNESSES}
        choices = [
            {"trust": trust, "sharpness": sharpness, "threshold": threshold, "left_out_f1": f1}
            for trust in _TRUSTS
            for sharpness in _SHARPNESSES
            for threshold, f1 in [word_sets.best_threshold(searched.mixed(trust, proposed[sharpness]), present, sizes)]
        ]
        best = max(choices, key=lambda choice: choice["left_out_f1"])
        rounds = []
        for number in range(search.course.rounds + 1):
            shares = searched.proposed(best["sharpness"], number)
            rounds.append(
                {
                    "round": number,
                    "guesses": np.mean([trail.ends[number] for trail in searched.trails]),
                    "closeness": np.mean([trail.closest(number) for trail in searched.trails]),
                    "guesses_f1": word_sets.best_threshold(searched.mixed(1.0, shares), present, sizes)[1],
                    "left_out_f1": word_sets.best_threshold(searched.mixed(best["trust"], shares), present, sizes)[1],
                }
            )
        return cls(texts.words, search, tuple({**row, "chosen": row is best} for row in choices), tuple(rounds))

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Search each text, and name the words above the threshold."""
        chosen = next(row for row in self.choices if row["chosen"])
        searched = self.search.run(embeddings)
        scores = searched.mixed(chosen["trust"], searched.proposed(chosen["sharpness"]))
        return Answer(self.words, scores, scores > chosen["threshold"], searched.texts())

    def explain(self) -> Tables:
        """Return the trainings, and the search and the choices on the held-out texts."""
        tables = {"search": table(SEARCH, list(self.rounds)), "choices": table(CHOICES, list(self.choices))}
        decoding = {} if self.search.writer is None else self.search.writer.explain()
        return {**self.search.classifier.explain(), **decoding, **tables}
