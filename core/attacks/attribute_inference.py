"""Author inference: who wrote a text, predicted from its embedding after a few labelled texts of each author."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.adversaries import author_map
from core.adversaries.author_classifier import author_probabilities, authors_by_words
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Played, Truth
from core.result import Column, Drawing, Schema, Tables, table
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.intervals import mean_share, with_interval
from core.statistics.wording import fixed
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.near_copies import distinct
from core.text.secrets import Authorship, Secret
from core.text.vectors import Vectors

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_MAPPED = 600
_FEWEST_TEXTS, _ENOUGH_TEXTS = 4, 20
"""Fewest texts of an author, and the number of texts below which fewer authors are preferred to fewer texts."""


class AttributeInference(InferenceAttack):
    """Author inference from embeddings with few labels (Song and Raghunathan 2020, Algorithm 3).

    The adversary knows the authors, holds a few texts of each, has the public encoder embed them, and trains a
    classifier that predicts the author of each released embedding. The paper says "a classifier"; ours is linear
    discriminant analysis with means m_a and one covariance S, shrunk after Ledoit and Wolf, which needs no tuning:

        author = argmax over a of  x' S^-1 m_a - 1/2 m_a' S^-1 m_a.

    The known variance of a defense's noise is added to S.

    Authors are the people of a mailing list or of mailboxes with the most texts, equally many of each, without near
    copies. Of mailboxes, sent mail is taken: an inbox tells whose mailbox it is, not who wrote. For comparison,
    logistic regression on the TF-IDF of the texts, which the adversary does not have, shows how much of an author the
    embedding keeps. Part of what separates authors is their topics and signatures.
    """

    version: ClassVar[int] = 2
    also_reads: ClassVar[tuple[type, ...]] = (Vectors,)

    title: ClassVar[str] = "Author inference"
    question: ClassVar[str] = "Who wrote the text behind this embedding?"
    claim: ClassVar[str] = "Given the embedding of a text, the adversary names whose text it is"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts by authors it knows, a few labelled texts of each, and may query "
        "the same public encoder with any text. It never sees a victim’s text."
    )
    tables: ClassVar[dict[str, Schema]] = {
        "by_labels": {
            "reader": Column("str", "'embedding' for the attack, 'words' for a classifier of the texts themselves."),
            "labels": Column("int32", "Labelled texts of each author, at most."),
            **with_interval("accuracy", "Share of victims whose author was named.", "the", bare=True),
            "chance": Column("float64", "Accuracy of always naming the most frequent author."),
        },
        "confusion": {
            "author": Column("str", "Who wrote the texts."),
            "guess": Column("str", "Who was named."),
            "victims": Column("int32", "How many texts."),
        },
    }
    drawings: ClassVar[Mapping[str, Drawing]] = {"map": Drawing(author_map.SCHEMA, author_map.draw)}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder"},
            "game": {"shadow_share": 0.5},
            "attack": {"authors": 10, "labels": 20, "texts": 40},
        },
        "paper": {
            "dataset": {"part": "enron_mailboxes", "folder": "sent"},
            "model": {"part": "encoder", "source": "minilm"},
            "game": {"shadow_share": 0.5, "victims": 2000},
            "attack": {"texts": 100},
        },
    }

    inferred: Literal["owner", "label"] = parameter(
        "owner", "Whether the author, or the class of a text in its place, is inferred.", advanced=True, implied="owner"
    )
    """Classes are inferred in the same way as authors."""
    fewer: bool = parameter(
        False,
        "Take as many authors and texts as there are, where they are fewer than set here.",
        advanced=True,
        implied=False,
    )
    mapped: int = parameter(
        _MAPPED,
        "Most victims that are laid out on maps; 0 for none.",
        unit="victims",
        ge=0,
        le=_MAPPED,
        advanced=True,
        implied=_MAPPED,
    )
    authors: int = parameter(20, "Number of authors, those with the most texts.", unit="authors", ge=2, le=200)
    labels: int = parameter(50, "Labelled texts of each author, at most.", unit="texts", ge=1, le=10_000)
    texts: int = parameter(
        110, "Texts of each author, labelled ones included.", unit="texts", ge=_FEWEST_TEXTS, le=100_000
    )

    @property
    def named(self) -> str:
        """The title, with what is inferred where that is no author."""
        return self.title if self.inferred == "owner" else "Class inference"

    @property
    def asks(self) -> str:
        """The question about the author, or about the class."""
        return self.question if self.inferred == "owner" else "Which class has the text behind this embedding?"

    @property
    def balanced(self) -> bool:
        """No balancing is needed: there are equally many texts of each author."""
        return False

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows of equally many texts of each author, of those with the most, without near copies.

        Raises:
            Incompatible: Too few authors have that many different texts.
        """
        whose = self._whose(documents)
        if not whose and self.inferred == "label":
            raise Incompatible(f"{self.part_name()} needs texts with classes, and these have none.")
        if not whose:
            column = documents.likely_owners
            hint = f" Set 'owner_column' to {column!r}, which probably says whose each text is." if column else ""
            raise Incompatible(
                f"{self.part_name()} needs texts with owners, and these have none.{hint}",
                {"dataset.owner_column": column} if column else {},
            )
        owned: defaultdict[str, list[int]] = defaultdict(list)
        copies = Counter(documents.texts)
        once = [row for row, text in enumerate(documents.texts) if copies[text] == 1]
        for number in distinct([words_of(documents.texts[row]) for row in once]):
            if whose[once[number]].strip():
                owned[whose[once[number]]].append(once[number])
        authors = sorted(owned, key=lambda owner: (-len(owned[owner]), owner))[: self.authors]
        fewest, texts = min((len(owned[owner]) for owner in authors), default=0), self.texts
        if len(authors) < self.authors or fewest < self.texts:
            enough = sum(len(rows) >= self.texts for rows in owned.values())
            needed = f"{self.authors} authors with {self.texts} different texts each are needed; {enough} have them."
            refused = self._refused(needed, sorted(map(len, owned.values()), reverse=True))
            if not self.fewer or not refused.fits:
                raise refused
            authors, texts = authors[: refused.fits["attack.authors"]], refused.fits["attack.texts"]
        chosen = [rng.choice(owned[owner], texts, replace=False) for owner in authors]
        return np.sort(np.concatenate(chosen)).astype(np.int64)

    def _refused(self, needed: str, texts: Sequence[int]) -> Incompatible:
        """Return the error of what is needed, with what fits the numbers of different texts of authors, most first."""
        possible = [(number, min(self.texts, most)) for number, most in enumerate(texts[: self.authors], 1)]
        possible = [(authors, count) for authors, count in possible if authors >= 2 and count >= _FEWEST_TEXTS]
        if not possible:
            return Incompatible(f"{needed} Take more texts: two authors with {_FEWEST_TEXTS} each at least.")
        authors, count = max(possible, key=lambda both: (min(both[1], _ENOUGH_TEXTS), both))
        fits = {"attack.authors": authors, "attack.texts": count}
        return Incompatible(f"{needed} With {authors} authors, {count} texts each are there.", fits)

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the one secret: the author."""
        whose = self._whose(documents)
        values = tuple(sorted(set(whose)))
        numbers = {owner: number for number, owner in enumerate(values)}
        wrote = {text: numbers[owner] for text, owner in zip(documents.texts, whose, strict=True)}
        return (Authorship("author" if self.inferred == "owner" else "class", values, wrote),)

    def check_briefing(self, briefing: Briefing) -> None:
        """Check that the adversary holds a text of each author.

        Raises:
            Incompatible: It does not.
        """
        self._labelled(briefing)

    def clusters(self, truth: Truth) -> NDArray[np.int64]:
        """Return the author of each victim, (victims,).

        Some authors are found far more often than others. So intervals resample authors, and then the texts of each.
        """
        authors: NDArray[np.int64] = truth.answers[0]
        return authors

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Embed the labelled texts, train the classifier, and predict the author of each victim."""
        (secret,) = briefing.secrets
        texts, authors = self._labelled(briefing)
        context.progress.stage("Training the classifier of authors")
        known = access.known(texts, defended=briefing.defended)
        yield Answer(self.part_name(), 0, author_probabilities(known, authors, access.victims, len(secret.values)))

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return accuracy by number of labels, of embeddings and of words, and the confusion; keep what maps show."""
        briefing, access, truth = played.briefing, played.access, played.truth
        victims = access.victims[: len(truth.rows)]
        (secret,) = briefing.secrets
        steps = [step for step in _STEPS if step < self.labels] + [self.labels]
        guesses = played.answers[0].probabilities.argmax(axis=1)
        context.kept["map"] = author_map.kept(
            victims, truth.rows, secret.values, truth.answers[0], guesses, self.mapped, briefing.seed
        )
        context.progress.stage("Training with fewer labels, and on the words", total=len(steps))
        rows: list[dict[str, Any]] = []
        texts, authors = self._labelled(briefing)
        known = access.known(texts, defended=briefing.defended)
        rank = np.arange(len(authors)) - np.searchsorted(authors, authors)  # among the texts of the same author
        for step in steps:
            few = np.flatnonzero(rank < step)
            predicted = {
                "embedding": guesses
                if step == self.labels
                else author_probabilities(known.select(few), authors[few], victims, len(secret.values)).argmax(axis=1),
                "words": authors_by_words([texts[row] for row in few], authors[few], truth.texts),
            }
            rows += [self._row(name, step, values, truth, briefing.seed) for name, values in predicted.items()]
            context.progress.advance()
        return {
            "by_labels": table(self.tables["by_labels"], rows),
            "confusion": table(self.tables["confusion"], _confusion(secret, truth.answers[0], guesses)),
        }

    def remark(self, tables: Tables) -> str:
        """Return how often the words themselves, with as many labels, name the right author."""
        of_words = tables["by_labels"].query("reader == 'words'").nlargest(1, "labels")
        return "".join(
            f"From the words themselves, by {row['labels']:,} labelled texts of each: accuracy "
            f"{fixed(row['accuracy'], 3)} [{fixed(row['low'], 3)}, {fixed(row['high'], 3)}], "
            f"chance {row['chance']:.3g}."
            for row in of_words.to_dict("records")
        )

    def _whose(self, documents: Documents) -> tuple[str, ...]:
        """Return the author of each text, or its class; none where the texts have none."""
        return documents.owners if self.inferred == "owner" else documents.labels

    def _labelled(self, briefing: Briefing) -> tuple[list[str], NDArray[np.int64]]:
        """Return the labelled texts, author by author, and their authors in rising order.

        Raises:
            Incompatible: The adversary holds no text of some author.
        """
        (secret,) = briefing.secrets
        texts_of: dict[int, list[str]] = {author: [] for author in range(len(secret.values))}
        auxiliary = briefing.teaching
        for row in generator(briefing.seed, "labels").permutation(len(auxiliary)):
            text = auxiliary[row]
            texts_of[secret.read(text)].append(text)
        if missing := [secret.values[author] for author, texts in texts_of.items() if not texts]:
            raise Incompatible(
                f"The adversary holds no text of {missing[0]}. Raise 'texts', or the share of texts that it holds."
            )
        chosen = [(text, author) for author, texts in texts_of.items() for text in texts[: self.labels]]
        return [text for text, _ in chosen], np.array([author for _, author in chosen], np.int64)

    def _row(self, reader: str, labels: int, guesses: NDArray[np.int64], truth: Truth, seed: int) -> dict[str, Any]:
        counted = truth.counted[:1].astype(np.float64)
        hits = (guesses == truth.answers[0])[None] * counted
        accuracy = mean_share(hits, counted, generator(seed, "intervals"), clusters=truth.clusters)
        shares = np.bincount(truth.answers[0][truth.counted[0]]) / counted.sum()
        chance = float(shares.max())
        return {"reader": reader, "labels": labels, **accuracy.columns("accuracy", bare=True), "chance": chance}


def _confusion(secret: Secret, truth: NDArray[np.int64], guesses: NDArray[np.int64]) -> list[dict[str, Any]]:
    counts = Counter(zip(truth.tolist(), guesses.tolist(), strict=True))
    return [
        {"author": secret.values[author], "guess": secret.values[guess], "victims": victims}
        for (author, guess), victims in sorted(counts.items())
    ]
