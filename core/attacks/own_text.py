"""Own text: keyword inference on a text of the user's own."""

from typing import Any, ClassVar

from core.attacks.keyword_inference import KeywordInference
from core.games.inference.contract import Played
from core.result import Column, Schema, Tables, table
from core.runtime.context import RunContext
from core.spec import parameter
from core.text.secrets import Keyword

_HALF = 0.5
"""Probability above which a keyword is predicted."""


class OwnText(KeywordInference):
    """Predictions of `core.attacks.keyword_inference` for the embedding of a text of your own.

    The text is embedded, behind the experiment's defenses, and passed to the classifiers that were trained for the
    victims. These are stored, so only the first text waits for them. All estimates are those of the victims: a single
    text says nothing about how well the attack works.

    Source: Pan et al. 2020, section VIII and appendix E, which rank keywords of single sentences.
    """

    title: ClassVar[str] = "Own text"
    question: ClassVar[str] = "Which keywords does an adversary infer from the embedding of this sentence?"
    tables: ClassVar[dict[str, Schema]] = {
        "own_text": {
            "keyword": Column("str", "What is asked."),
            "probability": Column("float32", "How likely the adversary thinks that the text has it."),
            "present": Column("bool", "Whether it has."),
        }
    }

    text: str = parameter(
        "The choir sang of war and peace, and the whole world listened to the music.",
        "The sentence to embed and attack; cut off at the encoder's most tokens.",
        label="Your sentence",
        max_length=10_000,
    )
    rivals: bool = parameter(False, "Also train the other classifiers.", advanced=True)

    def remark(self, tables: Tables) -> str:
        """Return the keywords that the adversary predicts for the user's own sentence, the likeliest first."""
        columns = (tables["own_text"][name].tolist() for name in ("keyword", "probability", "present"))
        words = [
            f"{keyword} ({probability:.2f}, {'right' if present else 'wrong'})"
            for keyword, probability, present in zip(*columns, strict=True)
            if probability > _HALF
        ]
        return f"Your sentence, “{self.text}”: it predicts {', '.join(words) or 'none of the keywords'}."

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the probability of each keyword in the text, the likeliest first."""
        briefing, access = played.briefing, played.access
        embedding = access.query([self.text], defended=True)
        rows: list[dict[str, Any]] = []
        for secret, network in self.trained(self.classifier, self.task(briefing, access), context):
            keyword = Keyword(briefing.secrets[secret].name)
            probability = float(network.probabilities(embedding)[0, 1])
            present = bool(keyword.read(self.text))
            rows.append({"keyword": keyword.name, "probability": probability, "present": present})
        rows.sort(key=lambda row: (-row["probability"], row["keyword"]))
        return {"own_text": table(self.tables["own_text"], rows)}
