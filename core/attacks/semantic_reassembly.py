"""Semantic reassembly: what a text is about, told by ranking candidate words by how likely they stand in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import SentenceEmbeddings
from core.adversaries.keyword_classifiers import examples, mlp, svm
from core.errors import Incompatible
from core.games.reassembly.contract import ReassemblyAttack
from core.result import Schema
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.text.corpus import words_of
from core.text.word_sets import is_content


class SemanticReassembly(ReassemblyAttack):
    """The words of a text, ranked by how likely its embedding says they are there (Pan et al. 2020, appendix E).

    For each of some candidate words the adversary trains a classifier by the word substitution trick, as for keyword
    inference, lets all of them read a victim's embedding, and ranks the words:

        top 10 of { w : P_w(present | f(text)) }.

    Where the paper is silent, or another choice was made:

    - *Candidates.* The paper picks 50 words of medicine by hand. Here they are named, or the 50 that stand in the most
      of the adversary's texts: words of at least three letters, scikit-learn's English stop words left out.
    - *Classifier.* The paper's are domain-adversarial networks of a black-box adversary. Here they are linear SVMs, or
      perceptrons of 80 units, of an adversary that holds texts of the same kind.
    - *Prior.* The classifiers learn from balanced texts and so take a rare word to be as likely as a frequent one, as
      in the paper. ``prior`` adds the log odds of a word among the adversary's own texts to those of its classifier.
    - *Score.* The paper shows five samples; the game `reassembly` counts.
    """

    title: ClassVar[str] = "Topic words"
    question: ClassVar[str] = "Which ten words best tell what the text behind this embedding is about?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts, holds texts of the same kind, and may ask the same public encoder "
        "to embed any text."
    )
    tables: ClassVar[dict[str, Schema]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "max_tokens": 64},
            "game": {"pieces": "sentences", "victims": 300},
            "attack": {"texts": 100},
        },
        "paper": {
            "dataset": {"part": "cms_procedures"},
            "model": {"part": "encoder", "source": "bert", "pooling": "last"},
            "game": {"shadow_share": 0.5},
            "attack": {"classifier": "mlp"},
        },
    }

    words: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = parameter(
        (), "Candidate words; the adversary chooses some from its own texts when none are given.", max_length=1000
    )
    candidates: int = parameter(50, "How many it chooses.", label="Candidates chosen", unit="words", ge=2, le=1000)
    classifier: Literal["svm", "mlp"] = parameter("svm", "What reads a word: a linear SVM, or a perceptron.")
    prior: bool = parameter(False, "Let frequent words come first where the embedding says as much for rare ones.")
    texts: int = parameter(
        1000,
        "Most texts of its own that the adversary changes to teach its classifiers.",
        label="Texts changed",
        unit="texts",
        ge=10,
        le=100_000,
    )
    substitutions: int = parameter(1, "Pairs of texts made of each text.", unit="pairs", ge=1, le=100, advanced=True)

    def choose(self, held: Sequence[str]) -> tuple[str, ...]:
        """Return the candidate words: those given, or the most frequent of the adversary's texts.

        Raises:
            Incompatible: Two are the same, or the texts have too few.
        """
        if self.words:
            if len({word.casefold() for word in self.words}) < max(2, len(self.words)):
                raise Incompatible(
                    f"At least two different candidates are needed. Got {', '.join(self.words)} instead."
                )
            return self.words
        counted = Counter(word for text in held for word in set(words_of(text)))
        content = [word for word in counted if is_content(word)]
        if len(content) < 2:
            raise Incompatible(
                f"The adversary's {len(held)} texts have {len(content)} words to choose from. Name some."
            )
        return tuple(sorted(content, key=lambda word: (-counted[word], word))[: self.candidates])

    def rate(
        self,
        words: Sequence[str],
        shares: NDArray[np.float64],
        held: Sequence[str],
        access: SentenceEmbeddings,
        context: RunContext,
        seed: int,
        *,
        protected: bool,
    ) -> NDArray[np.float32]:
        """Return how likely each word stands in each victim's text, (victims, words).

        Args:
            words: The candidates.
            shares: (words,) share of the adversary's texts in which each stands.
            held: The adversary's texts.
            access: The victims' embeddings, and the encoder.
            context: Where classifiers are trained.
            seed: Source of all randomness.
            protected: Whether the adversary applies the known defenses to its own embeddings too.

        Raises:
            Incompatible: The adversary holds no texts.
        """
        if len(held) < 2:
            raise Incompatible(f"The adversary holds {len(held)} texts. Raise the share of texts it holds.")
        chosen = np.sort(generator(seed, "changed").permutation(len(held))[: self.texts])
        made = examples([held[row] for row in chosen], words, self.substitutions, seed)
        lesson = _Lesson(
            classifier=self.classifier,
            known=access.query(made.texts, protected=protected),
            rows=made.rows,
            answers=made.answers,
            victims=access.victims,
            seed=seed,
        )
        told = np.empty((len(access.victims), len(words)), np.float32)
        for word, arrays in context.train(
            "Training a classifier for each word", lesson.key(), _read, range(len(words)), {"lesson": lesson}
        ):
            told[:, word] = arrays["present"]
        return _weighted(told, shares, len(held)) if self.prior else told


def _weighted(told: NDArray[np.float32], shares: NDArray[np.float64], texts: int) -> NDArray[np.float32]:
    """Return the probabilities when a word is not as likely as not, but as frequent as among the adversary's texts."""
    from scipy.special import expit, logit

    margin = 0.5 / texts
    odds = logit(np.clip(told.astype(np.float64), 1e-6, 1 - 1e-6)) + logit(np.clip(shares, margin, 1 - margin))
    return np.asarray(expit(odds), dtype=np.float32)


@dataclass(frozen=True)
class _Lesson:
    """What the classifiers learn from, and whom they read.

    Attributes:
        classifier: Which kind.
        known: (texts, dimension) embeddings of the texts the adversary made.
        rows: For each word, rows of ``known`` that teach it.
        answers: For each word, whether it stands in those texts.
        victims: (victims, dimension) embeddings to read.
        seed: Source of all randomness.
    """

    classifier: Literal["svm", "mlp"]
    known: NDArray[np.float32]
    rows: tuple[NDArray[np.int64], ...]
    answers: tuple[NDArray[np.int64], ...]
    victims: NDArray[np.float32]
    seed: int

    def key(self) -> str:
        """Key of everything that determines what is read."""
        contents = content_key(self.known, self.victims, *self.rows, *self.answers)
        return key_of({"word classifiers": 1, "classifier": self.classifier, "contents": contents, "seed": self.seed})


def _read(item: int, lesson: _Lesson) -> Arrays:
    """Train the classifier of one word; return how likely it thinks the word in each victim's text."""
    rng = generator(lesson.seed, lesson.classifier, item)
    inputs, truth = lesson.known[lesson.rows[item]], lesson.answers[item]
    reader = svm(inputs, truth, rng) if lesson.classifier == "svm" else mlp(inputs, truth, rng)[0][-1]
    return {"present": reader.probabilities(lesson.victims)[:, 1]}
