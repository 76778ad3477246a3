"""How much faster than document by document a classifier answers probes by array arithmetic; run with python -m."""

import json
import time

import numpy as np

from core.access import DocumentLabels
from core.datasets.wikipedia_people import WikipediaPeople
from core.models.spam_classifier import SpamClassifier
from core.networks.document_classifier import Labelled
from core.runtime.seeding import generator
from core.text.corpus import Corpus

DOCUMENTS = 100
WORDS = 50
REPETITIONS = 5
ONE_BY_ONE = 3_000
"""Probes classified document by document; the rest would take the same time each."""
ROUNDS = 20


def run() -> None:
    """Train a classifier on passages of an encyclopedia, ask both ways, and print one line of JSON."""
    documents = WikipediaPeople().load()
    model = SpamClassifier(positive="person", dimension=80, minimum_count=5, epochs=2)
    corpus = Corpus.encode(documents.texts)
    embedding = model.train(corpus, generator(0, "embedding"))
    classifier = model.classifier(embedding, Labelled(corpus, model.positives(documents)), generator(0, "classifier"))
    rng = generator(0, "probes")
    chosen = corpus.select(rng.choice(len(corpus), DOCUMENTS, replace=False))
    texts = chosen.texts()
    words = rng.choice(embedding.words, WORDS, replace=False).tolist()
    probes = [
        (number, position, times)
        for number in range(DOCUMENTS)
        for position in range(WORDS)
        for times in range(REPETITIONS + 1)
    ]
    some = [probes[chosen_probe] for chosen_probe in rng.choice(len(probes), ONE_BY_ONE, replace=False)]

    access = DocumentLabels(classifier)
    start = time.perf_counter()
    for _ in range(ROUNDS):
        labels = access.query(texts, words, REPETITIONS)
    ours = (time.perf_counter() - start) / ROUNDS / labels.size
    start = time.perf_counter()
    one_by_one = [
        classifier.classify(Corpus.encode([" ".join([*texts[number], *[words[position]] * times])]))[0]
        for number, position, times in some
    ]
    reference = (time.perf_counter() - start) / len(some)
    same = np.mean([labels[probe] == label for probe, label in zip(some, one_by_one, strict=True)])
    line = {
        "name": "classifier_queries",
        "ratio": round(reference / ours, 1),
        "compared": (
            f"seconds a probe: each document with a word appended 0 to {REPETITIONS} times sent to the classifier as a "
            f"text, over {DOCUMENTS} documents, {WORDS} words and {REPETITIONS + 1} numbers of times answered at once"
        ),
        "figures": {
            "our_queries_per_second": round(1 / ours),
            "reference_queries_per_second": round(1 / reference),
            "same_answers": round(float(same), 4),
        },
    }
    print(json.dumps(line))


if __name__ == "__main__":
    run()
