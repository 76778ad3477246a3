"""Keyword inference on one sentence of one's own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from core.access import SentenceEmbeddings
from core.attacks.keyword_inference import KeywordInference
from core.games.inference.contract import Answer, Briefing, Truth
from core.result import Column, Schema, table
from core.runtime.context import RunContext
from core.spec import parameter
from core.text.secrets import Keyword

if TYPE_CHECKING:
    import pandas as pd


class OwnText(KeywordInference):
    """What the adversary of `core.attacks.keyword_inference` reads from the embedding of a text of your own.

    The text is embedded, defended if the experiment has defenses, and read by the classifiers that were trained for the
    victims; those are kept, so that only the first text waits for them. The figures are those of the victims: one
    sentence proves nothing about how well the attack works.

    Source: Pan et al. 2020, section VIII and appendix E, which rank keywords of single sentences.
    """

    title: ClassVar[str] = "Own text"
    question: ClassVar[str] = "Which keywords does an adversary read from the embedding of this sentence?"
    tables: ClassVar[dict[str, Schema]] = {
        "own_text": {
            "keyword": Column("str", "What is asked."),
            "probability": Column("float32", "How likely the adversary thinks that the text has it."),
            "present": Column("bool", "Whether it has."),
        },
    }

    text: str = parameter(
        "The choir sang of war and peace, and the whole world listened to the music.",
        "The sentence to embed and attack; longer texts are cut off where the encoder ends.",
        label="Your sentence",
        max_length=10_000,
    )
    rivals: bool = parameter(False, "Also show what the other classifiers reach.", advanced=True)

    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return how likely the adversary thinks each keyword in the text, the likeliest first."""
        embedding = access.query([self.text], protected=briefing.protected)
        found = []
        for secret, network in self.lesson(briefing, access).trained(self.classifier, context):
            keyword = Keyword(briefing.secrets[secret].name)
            told = float(network.probabilities(embedding)[0, 1])
            found.append((told, keyword.name, bool(keyword.read(self.text))))
        found.sort(key=lambda one: (-one[0], one[1]))
        rows = [{"keyword": name, "probability": told, "present": present} for told, name, present in found]
        return {"own_text": table(self.tables["own_text"], rows)}
