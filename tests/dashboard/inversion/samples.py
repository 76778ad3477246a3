"""Made-up results of inversion: what is named is drawn, the tables and figures come from the game's own scoring."""

from dataclasses import replace
from functools import cache

import numpy as np

from core.experiment import Experiment
from core.games.inversion.contract import Answer
from core.games.inversion.score import Scorer
from core.result import Estimate, Result, table
from core.text import word_sets
from core.text.segments import segmented
from tests.dashboard.inference_samples import NOISE
from tests.dashboard.samples import PROVENANCE

ATTACK = "multilabel_inversion"
TEXT = "The pizza was cold, but the waiter could not have been nicer."


def inversion(
    text=TEXT,
    dataset="wikipedia_excerpt",
    source="small_bert",
    recall=0.5,
    invented=2,
    victims=30,
    passes=4,
    defended=False,
    seed=4711,
    **changed,
):
    """Return a result with a seed that has none precomputed.

    `recall` is the share of a text's words that are named, `invented` how many others are, whatever the text.
    """
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, "text": text, "epochs": max(passes, 1), **changed},
            "dataset": {"part": dataset},
            "model": {"part": "encoder", "source": source},
            "defenses": list(NOISE) if defended else [],
            "seed": seed,
        }
    )
    made = _made(experiment, recall, invented, victims, passes)
    return replace(made, tables=dict(made.tables))


@cache
def _made(experiment, recall, invented, victims, passes):
    rng, text = np.random.default_rng(experiment.seed), experiment.attack.text
    pieces, positions = _pieces()
    victim_words, known = (list(map(word_sets.word_set, part)) for part in (pieces[:victims], pieces[victims:]))
    words = tuple(word_sets.frequencies(known))[:400]
    scorer = Scorer(victim_words, positions[:victims, 0], positions[:victims, 1], known, ATTACK, experiment.seed)
    scorer.add(ATTACK, _read(victim_words, words, recall, invented, rng))
    if experiment.defenses:
        scorer.add("naive", _read(victim_words, words, recall / 3, invented, rng))
    learnt = [
        {"epochs": epoch, "loss": 60 * 0.9**epoch, "left_out_f1": 0.4 * (1 - 0.5**epoch)}
        for epoch in range(1, passes + 1)
    ]
    tables = {
        "learning": table(experiment.attack.tables["learning"], learnt),
        "yours": scorer.sentence(text, _read([word_sets.word_set(text)], words, recall, invented, rng)),
        **scorer.tables(),
    }
    queries = Estimate.queries(len(known), "Texts of its own that the adversary asked the encoder to embed.")
    return Result(experiment.as_dict(), {**scorer.estimates(), "queries": queries}, PROVENANCE, tables)


@cache
def _pieces():
    documents = Experiment.preset(ATTACK, "demo").dataset.load()
    pieces, positions = segmented(documents, "sentences")
    return pieces[:400], positions[:400]


def _read(text_words, words, recall, invented, rng):
    """Return a reading that names a share of the words of each text, and a few others."""
    present = word_sets.presence(text_words, words).toarray() > 0
    scores = rng.random(present.shape) * np.where(present, 0.9, 0.3)
    threshold = np.where(present, 0.9 * (1 - recall), 1.0)
    others = np.argsort(-np.where(present, -1, scores), axis=1)[:, :invented]
    named = scores > threshold
    np.put_along_axis(named, others, values=True, axis=1)
    return Answer(words, scores.astype(np.float32), named)
