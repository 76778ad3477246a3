"""Who wrote the text behind an embedding: a few labelled texts of each author are enough to tell them apart."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Truth
from core.result import Column, Schema, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics import decisions
from core.statistics.projection import METHODS, project
from core.text.contents import Documents
from core.text.secrets import Authorship, Secret

if TYPE_CHECKING:
    import pandas as pd

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_MAPPED = 600
_STRENGTH = 10.0


class AttributeInference(InferenceAttack):
    """Authorship from embeddings with few labels an author (Song and Raghunathan 2020, Algorithm 3).

    The adversary knows the authors, has a few texts of each, has the public encoder embed them, and trains a
    classifier, which then names the author of each embedding that was released.

    The paper says "a classifier"; ours is a linear discriminant: a mean for each author and one covariance for all,
    shrunk after Ledoit and Wolf, which has nothing to tune and can be had from two texts an author; with one, distance
    decides. Authors here are the people of a mailing list or of mailboxes, those with the most texts, and of each
    equally many, so that guessing is right about once in as many as there are. Beside it stands what a classifier of
    the words themselves reads from the texts (TF-IDF and logistic regression), which the adversary does not have: how
    much of an author the embedding keeps. Some of what tells authors apart is what they write about, and names they
    sign with; both are theirs.
    """

    title: ClassVar[str] = "Author inference"
    question: ClassVar[str] = "Who wrote the text behind this embedding?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts by authors it knows, a few labelled texts of each, and may ask the "
        "same public encoder to embed any text. It never sees a text of a victim."
    )
    tables: ClassVar[dict[str, Schema]] = {
        "by_labels": {
            "reader": Column("str", "'embedding' for the attack, 'words' for a classifier of the texts themselves."),
            "labels": Column("int32", "Labelled texts of each author, at most."),
            "accuracy": Column("float64", "Share of victims whose author was named."),
            "low": Column("float64", "Lower end of the 95 % interval."),
            "high": Column("float64", "Upper end of the 95 % interval."),
            "chance": Column("float64", "Accuracy of always naming the most frequent author."),
        },
        "confusion": {
            "author": Column("str", "Who wrote the texts."),
            "guess": Column("str", "Who was named."),
            "victims": Column("int32", "How many texts."),
        },
        "map": {
            "method": Column("str", "How embeddings were laid out: pca or umap."),
            "row": Column("int32", "Row of the victim's text in the dataset."),
            "author": Column("str", "Who wrote it."),
            "guess": Column("str", "Who was named."),
            "x": Column("float32", "First coordinate."),
            "y": Column("float32", "Second coordinate."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder"},
            "game": {"shadow_share": 0.5},
            "attack": {"authors": 10, "labels": 20, "texts": 40},
        },
        "paper": {
            "dataset": {"part": "enron_mailboxes"},
            "model": {"part": "encoder", "source": "minilm"},
            "game": {"shadow_share": 0.5, "victims": 2000},
        },
    }

    authors: int = parameter(20, "How many authors, those with the most texts.", unit="authors", ge=2, le=200)
    labels: int = parameter(50, "Labelled texts of each author, at most.", unit="texts", ge=1, le=10_000)
    texts: int = parameter(
        110, "Texts of each author that are at stake, labelled ones included.", unit="texts", ge=4, le=100_000
    )

    @property
    def balanced(self) -> bool:
        """There are equally many texts of each author from the outset."""
        return False

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return equally many texts of each of the authors with the most.

        Raises:
            Incompatible: Too few owners have that many different texts.
        """
        if not documents.owners:
            raise Incompatible(f"{self.part_name()} needs texts with owners, and these have none.")
        owned: defaultdict[str, dict[str, int]] = defaultdict(dict)
        seen = Counter(documents.texts)
        for row, (text, owner) in enumerate(zip(documents.texts, documents.owners, strict=True)):
            if seen[text] == 1:
                owned[owner][text] = row
        most = sorted(owned, key=lambda owner: (-len(owned[owner]), owner))[: self.authors]
        fewest = min((len(owned[owner]) for owner in most), default=0)
        if len(most) < self.authors or fewest < self.texts:
            enough = sum(len(rows) >= self.texts for rows in owned.values())
            raise Incompatible(
                f"{self.authors} authors with {self.texts} different texts each are needed; {enough} have so many. "
                f"With {len(most)} authors, {fewest} texts each are there."
            )
        chosen = [rng.choice(list(owned[owner].values()), self.texts, replace=False) for owner in most]
        return np.sort(np.concatenate(chosen)).astype(np.int64)

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the one question: whose text it is."""
        values = tuple(sorted(set(documents.owners)))
        places = {owner: place for place, owner in enumerate(values)}
        wrote = {text: places[owner] for text, owner in zip(documents.texts, documents.owners, strict=True)}
        return (Authorship("author", values, wrote),)

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Embed the labelled texts, train the classifier, and name the author of each victim."""
        (secret,) = briefing.secrets
        texts, authors = self._labelled(briefing)
        context.progress.stage("Telling the authors apart")
        known = access.query(texts, protected=briefing.protected)
        yield Answer(self.part_name(), 0, _named(known, authors, access.victims, len(secret.values)))

    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return accuracy by number of labels, beside that of the words; who was taken for whom; and maps."""
        (secret,) = briefing.secrets
        steps = [step for step in _STEPS if step < self.labels] + [self.labels]
        context.progress.stage("Reading with fewer labels, and from the words", total=len(steps))
        rows: list[dict[str, Any]] = []
        texts, authors = self._labelled(briefing)
        known = access.query(texts, protected=briefing.protected)
        place = np.arange(len(authors)) - np.searchsorted(authors, authors)  # among the texts of the same author
        guesses = answer[0].probabilities.argmax(axis=1)
        for step in steps:
            own = np.flatnonzero(place < step)
            told = {
                "embedding": guesses
                if step == self.labels
                else _named(known[own], authors[own], access.victims, len(secret.values)).argmax(axis=1),
                "words": _read([texts[row] for row in own], authors[own], truth.texts),
            }
            rows += [self._row(reader, step, named, truth, briefing.seed) for reader, named in told.items()]
            context.progress.advance()
        return {
            "by_labels": table(self.tables["by_labels"], rows),
            "confusion": table(self.tables["confusion"], _confusion(secret, truth.answers[0], guesses)),
            "map": table(self.tables["map"], _maps(secret, access.victims, truth, guesses, briefing.seed)),
        }

    def _labelled(self, briefing: Briefing) -> tuple[list[str], NDArray[np.int64]]:
        """Return the labelled texts, those of one author after those of the other, and their authors in rising order.

        Raises:
            Incompatible: It holds no text of some author.
        """
        (secret,) = briefing.secrets
        own: dict[int, list[str]] = {place: [] for place in range(len(secret.values))}
        for place in generator(briefing.seed, "labels").permutation(len(briefing.held)):
            text = briefing.held[place]
            own[secret.read(text)].append(text)
        if short := [secret.values[place] for place, texts in own.items() if not texts]:
            raise Incompatible(
                f"The adversary holds no text of {short[0]}. Raise 'texts', or the share of texts that it holds."
            )
        chosen = [(text, place) for place, texts in own.items() for text in texts[: self.labels]]
        return [text for text, _ in chosen], np.array([place for _, place in chosen], np.int64)

    def _row(self, reader: str, labels: int, guesses: NDArray[np.int64], truth: Truth, seed: int) -> dict[str, Any]:
        asked = truth.asked[:1].astype(np.float64)
        hits = (guesses == truth.answers[0])[None] * asked
        accuracy, low, high = decisions.mean_share(hits, asked, generator(seed, "intervals"))
        shares = np.bincount(truth.answers[0][truth.asked[0]]) / asked.sum()
        return {
            "reader": reader,
            "labels": labels,
            "accuracy": accuracy,
            "low": low,
            "high": high,
            "chance": float(shares.max()),
        }


def _named(
    known: NDArray[np.float32], authors: NDArray[np.int64], victims: NDArray[np.float32], several: int
) -> NDArray[np.float32]:
    """Return how likely each author is for each victim, (victims, authors), after labelled embeddings."""
    from scipy.special import softmax
    from sklearn.covariance import LedoitWolf

    means = np.stack([known[authors == author].mean(axis=0, dtype=np.float64) for author in range(several)])
    around = known - means[authors]
    spread = LedoitWolf(assume_centered=True).fit(around).covariance_ if around.any() else np.eye(known.shape[1])
    slopes = np.linalg.lstsq(spread, means.T, rcond=None)[0]  # (dimension, authors)
    scores = victims @ slopes - 0.5 * np.einsum("ad,da->a", means, slopes)
    return np.asarray(softmax(scores, axis=1), dtype=np.float32)


def _read(texts: Sequence[str], authors: NDArray[np.int64], victims: Sequence[str]) -> NDArray[np.int64]:
    """Return the likeliest author of each victim by its words."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    words = TfidfVectorizer(sublinear_tf=True)
    reader = LogisticRegression(C=_STRENGTH, max_iter=500).fit(words.fit_transform(texts), authors)
    return np.asarray(reader.predict(words.transform(victims)), np.int64)


def _confusion(secret: Secret, truth: NDArray[np.int64], guesses: NDArray[np.int64]) -> list[dict[str, Any]]:
    counted = Counter(zip(truth.tolist(), guesses.tolist(), strict=True))
    return [
        {"author": secret.values[author], "guess": secret.values[guess], "victims": victims}
        for (author, guess), victims in sorted(counted.items())
    ]


def _maps(
    secret: Secret, victims: NDArray[np.float32], truth: Truth, guesses: NDArray[np.int64], seed: int
) -> list[dict[str, Any]]:
    drawn = np.sort(generator(seed, "map").permutation(len(victims))[:_MAPPED])
    return [
        {
            "method": method,
            "row": truth.rows[victim],
            "author": secret.values[truth.answers[0, victim]],
            "guess": secret.values[guesses[victim]],
            "x": x,
            "y": y,
        }
        for method in METHODS
        for victim, (x, y) in zip(drawn, project(victims[drawn], method, seed % 2**32).tolist(), strict=True)
    ]
