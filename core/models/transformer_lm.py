"""A language model with self-attention."""

from typing import TYPE_CHECKING, ClassVar, Self

from pydantic import model_validator

from core.errors import InvalidSpec
from core.spec import parameter
from core.targets.word_language_model import WordLanguageModel

if TYPE_CHECKING:
    from core.networks.language.next_word import Shape


class TransformerLm(WordLanguageModel):
    """A transformer over words with GPT-2's architecture, trained from scratch.

    Mahloujifar et al. 2021, section 5.2, expect their attack to generalise to it. Training is that of the LSTM, so that
    the two can be compared.
    """

    title: ClassVar[str] = "transformer language model"

    dimension: int = parameter(256, "Length of word vectors and of the hidden state.", ge=8, le=2048)
    heads: int = parameter(4, "Attention heads of each layer.", unit="heads", ge=1, le=32)

    @model_validator(mode="after")
    def _heads_divide_the_state(self) -> Self:
        if self.dimension % self.heads:
            nearest = max(1, round(self.dimension / self.heads)) * self.heads
            raise InvalidSpec(
                f"The 'dimension' parameter of {self.part_name()} must be a multiple of its {self.heads} heads. "
                f"Got {self.dimension} instead; {nearest} would do.",
                "dimension",
            )
        return self

    def shape(self, words: int) -> "Shape":
        """Return the shape of the transformer."""
        from core.networks.language.next_word import Shape

        return Shape("gpt2", words, self.dimension, self.layers, self.heads, self.context, self.dropout, self.softmax)
