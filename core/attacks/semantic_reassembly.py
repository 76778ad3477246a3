"""Topic words: candidate words, ranked by how likely they stand in the embedded text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import SentenceEmbeddings
from core.adversaries.keyword_classifiers import SAME_KIND, KeywordTask, examples, mlp, svm
from core.errors import Incompatible
from core.games.reassembly.contract import Answer, Briefing, ReassemblyAttack
from core.keys import key_of
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.corpus import words_of
from core.text.word_sets import is_content


class SemanticReassembly(ReassemblyAttack):
    """The topic words of a text, ranked by classifiers of its embedding (Pan et al. 2020, appendix E).

    For each candidate word the adversary trains a classifier by the word substitution trick, as for keyword inference,
    and ranks the words by their probability for a victim's embedding:

        top 10 of { w : P_w(present | f(text)) }.

    Where the paper is silent, or we deviate:

    - *Candidates.* The paper picks 50 medical words by hand. Here they are given, or are the content words that stand
      in the most auxiliary texts.
    - *Classifier.* Linear SVMs, or multilayer perceptrons of 80 units, of an adversary that holds texts of the same
      kind; the paper's adversary is a black-box one with domain-adversarial networks.
    - *Prior.* Training texts are balanced, as in the paper; ``prior`` adds a word's log odds in the auxiliary texts.
    """

    title: ClassVar[str] = "Topic words"
    question: ClassVar[str] = "Which ten words best tell what the text behind this embedding is about?"
    claim: ClassVar[str] = "Given the embedding of a text, the adversary names the ten words that fit it best"
    threat: ClassVar[str] = SAME_KIND
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
        (), "Candidate words; chosen from the auxiliary texts when none are given.", max_length=1000
    )
    candidates: int = parameter(50, "Candidates to choose.", label="Candidates chosen", unit="words", ge=2, le=1000)
    classifier: Literal["svm", "mlp"] = parameter(
        "svm", "Classifier of each word: a linear SVM, or a multilayer perceptron."
    )
    prior: bool = parameter(False, "Weigh each word by its frequency among the auxiliary texts.")
    texts: int = parameter(
        1000,
        "Most auxiliary texts that are changed to train the classifiers.",
        label="Texts changed",
        unit="texts",
        ge=10,
        le=100_000,
    )
    substitutions: int = parameter(1, "Pairs of texts made of each text.", unit="pairs", ge=1, le=100, advanced=True)

    def alternatives(self) -> Iterator[dict[str, Any]]:
        """Yield that words are chosen from the texts, where some were given."""
        if self.words:
            yield {"attack.words": []}

    def choose(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the candidate words: those given, or the most frequent of the auxiliary texts.

        Raises:
            Incompatible: Two are equal, or the texts have too few.
        """
        if self.words:
            if len({word.casefold() for word in self.words}) < max(2, len(self.words)):
                raise Incompatible(
                    f"At least two different candidates are needed. Got {', '.join(self.words)} instead."
                )
            return self.words
        counted = Counter(word for text in texts for word in set(words_of(text)))
        content = [word for word in counted if is_content(word)]
        if len(content) < 2:
            raise Incompatible(
                f"The adversary's {len(texts)} texts have {len(content)} words to choose from. Name some."
            )
        return tuple(sorted(content, key=lambda word: (-counted[word], word))[: self.candidates])

    def rate(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Answer:
        """Train a classifier for each candidate on changed texts, and predict with it for every victim.

        Raises:
            Incompatible: The adversary holds fewer than two texts.
        """
        texts, words, seed = briefing.texts, briefing.words, briefing.seed
        self.check_held(len(texts))
        chosen = np.sort(generator(seed, "changed").permutation(len(texts))[: self.texts])
        labelled = examples([texts[row] for row in chosen], words, self.substitutions, seed)
        embeddings = access.known(labelled.texts, defended=briefing.defended)
        task = KeywordTask(labelled, embeddings, access.victims, seed, access.released)
        fields = {"word classifiers": 1, "classifier": self.classifier, "contents": task.contents, "seed": seed}
        shared = {"task": task, "classifier": self.classifier}
        trained = context.train(
            "Training a classifier for each word", key_of(fields), _train, range(len(words)), shared
        )
        probabilities = np.empty((len(access.victims), len(words)), np.float32)
        for word, arrays in trained:
            probabilities[:, word] = arrays["present"]
        return Answer(_weighted(probabilities, briefing.shares, len(texts)) if self.prior else probabilities)


def _weighted(probabilities: NDArray[np.float32], shares: NDArray[np.float64], texts: int) -> NDArray[np.float32]:
    """Return the probabilities under a prior of each word's share of the auxiliary texts instead of one half."""
    from scipy.special import expit, logit

    margin = 0.5 / texts
    bounded = np.clip(probabilities.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.asarray(expit(logit(bounded) + logit(np.clip(shares, margin, 1 - margin))), dtype=np.float32)


def _train(item: int, task: KeywordTask, classifier: Literal["svm", "mlp"]) -> Arrays:
    """Train the classifier of one word; return its probability in each victim's text."""
    rng = generator(task.seed, classifier, item)
    training_set = task.training_set(item)
    network = svm(*training_set, rng) if classifier == "svm" else mlp(*training_set, rng)[0][-1]
    return {"present": network.probabilities(task.victims)[:, 1]}
