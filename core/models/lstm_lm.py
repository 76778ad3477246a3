"""An LSTM language model."""

from typing import TYPE_CHECKING, ClassVar

from core.targets.word_language_model import WordLanguageModel

if TYPE_CHECKING:
    from core.networks.language.next_word import Shape


class LstmLm(WordLanguageModel):
    """A two-layer LSTM over words, trained from scratch (Mahloujifar et al. 2021, section 5.1).

    Two layers, embedding and hidden size 500, Adam at 1e-3 and batches of 64 are the paper's. It does not state the
    number of epochs, the length of a sequence or the size of the vocabulary. Its perplexity, 94.7 on training and 107.7
    on other text, shows hardly any overfitting on far more text than is public here.
    """

    title: ClassVar[str] = "LSTM language model"

    def shape(self, words: int) -> "Shape":
        """Return the shape of the LSTM."""
        from core.networks.language.next_word import Shape

        return Shape("lstm", words, self.dimension, self.layers, 1, self.context, self.dropout, self.softmax)
