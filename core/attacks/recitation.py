"""Recitation: a language model is given the beginning of a passage, and goes on as its training text did."""

from collections.abc import Mapping
from typing import Any, ClassVar

from core.access import Access
from core.access.language_models import Continuations, Sampling
from core.games.recitation.contract import Answer, Briefing, RecitationAttack
from core.spec import parameter
from core.targets.word_language_model import small_lstm


class Recitation(RecitationAttack):
    """Discoverable extraction: prefix in, continuation out (Carlini et al. 2023, section 3).

    The adversary knows the words before a passage and takes the model's greedy continuation, the likeliest next word
    again and again. It also draws continuations, each word among the ``top_k`` likeliest at a temperature (Hayes et
    al. 2024, section 3). If one draw gives a passage with probability q, n draws give it at least once with probability
    1 - (1 - q)^n. A passage counts as recited if every word is right.

    Deviations: the papers continue 50 tokens after prefixes of 50 and more, subwords of models with billions of
    weights; here both are shorter and counted in words, as the texts and the models are small.
    """

    title: ClassVar[str] = "Recitation"
    question: ClassVar[str] = "Does the language model go on as its training text did?"
    claim: ClassVar[str] = (
        "Given the words before a passage, the adversary has a language model recite what followed in its training text"
    )
    threat: ClassVar[str] = (
        "The adversary knows how passages of the training text begin, and may let the model continue any text as often "
        "as it likes; it sees words and no probabilities."
    )
    needs: ClassVar[type[Access]] = Continuations
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": small_lstm(3000, dimension=128, layers=1, epochs=2, batch=4, learning_rate=5e-3, softmax="full"),
            "game": {"passages": 10, "documents": 100, "plays": 2},
        },
    }

    samples: int = parameter(50, "Continuations drawn of each passage.", unit="samples", ge=1, le=10_000)
    top_k: int = parameter(
        40, "Likeliest words that each word is drawn among.", label="Top k", unit="words", ge=1, le=100_000
    )
    temperature: float = parameter(
        1.0, "Divides log-probabilities before a word is drawn; below 1 the likeliest win more often.", ge=0.05, le=5
    )

    @property
    def sampling(self) -> Sampling:
        """How continuations are drawn."""
        return Sampling(self.top_k, self.temperature)

    def recite(self, briefing: Briefing, access: Continuations) -> Answer:
        """Continue every prefix greedily, and the longest ones by drawing, too."""
        likeliest = {length: access.continued(texts, briefing.words) for length, texts in briefing.prefixes.items()}
        longest = briefing.prefixes[briefing.longest]
        rounds = [access.drawn(longest, briefing.words, self.sampling, briefing.rng) for _ in range(self.samples)]
        return Answer(likeliest, list(zip(*rounds, strict=True)))
