"""Made-up results of recitation; the game's own scorer makes their tables."""

import numpy as np

from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.experiment import Experiment
from core.games.recitation.contract import Answer
from core.games.recitation.passages import Passages
from core.games.recitation.score import Recited, Scorer
from core.result import Result
from core.text.corpus import words_of
from tests.dashboard.samples import PROVENANCE, made_once

PREFIX, WORDS, EACH = 20, 10, 6


@made_once
def made(least=5, dataset="wikipedia_excerpt", control=False, common=0, models=1):
    """Return a result in which a model recites what it was shown often enough.

    Args:
        least: Copies from which on a passage is recited.
        dataset: Whose documents.
        control: Whether passages never shown are recited, too.
        common: Passages that are common phrases.
        models: How many models recite the same.
    """
    experiment = Experiment.preset("recitation", "demo", dataset={"part": dataset})
    copies = np.repeat([0, 1, 5, 100], EACH)
    texts = [words_of(text)[: PREFIX + WORDS] for text in WikipediaExcerpt().load().texts[: len(copies)]]
    none = np.zeros(len(copies), np.int64)
    passages = Passages(tuple(texts), np.arange(len(copies)), none, np.arange(len(copies)) < common, ())
    knows = (copies >= least) | (control & (copies == 0))
    completions = [words[PREFIX:] if known else ["zzz"] * WORDS for words, known in zip(texts, knows, strict=True)]
    answer = Answer(
        {5: [["zzz"] * WORDS for _ in texts], PREFIX: completions}, [[words, words] for words in completions]
    )
    logs = np.where(knows, np.log(0.4), -np.inf)
    scorer = Scorer(passages, PREFIX, [Recited(copies, answer, logs)] * models, 1, experiment.dataset.card.offline)
    return Result(experiment.as_dict(), scorer.estimates(), PROVENANCE, scorer.tables())
