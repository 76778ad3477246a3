"""A decoder writes texts as long as it is told, and of longer ones their beginnings."""

from string import ascii_letters, digits, punctuation

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.adversaries.search.text_writer import Sizes, TextWriter, TextWriterTraining
from core.encoders.own_embeddings import OwnEmbeddings
from core.games.inversion.contract import Examined
from core.runtime.store import Store
from tests.stand_ins import context

WORDS = [*(ascii_letters + digits + punctuation)[:90]]
TEXTS = [" ".join(WORDS[-length:]) for length in (20, 64, 65, 90)]
"""All end alike, so that the vector tells the first one."""
VECTORS = np.eye(len(TEXTS), dtype=np.float32)


def trained(store: Store, longest: int) -> TextWriter:
    """Return a decoder that learns the texts by heart, each from a vector of its own; the first is held out, too."""
    texts = [*TEXTS, TEXTS[0]]
    vectors = VECTORS[[*range(len(TEXTS)), 0]]
    present, sizes = csr_array((len(texts), 0), dtype=np.float32), np.zeros(len(texts), np.int64)
    examined = Examined((), vectors, present, sizes, len(TEXTS), OwnEmbeddings(vectors))
    shape = Sizes(400, longest, layers=1, heads=1, slots=1, epochs=60, batch_tokens=100, learning_rate=5e-3)
    return TextWriterTraining(examined, texts, lambda rows: rows, shape, seed=1).run(context(store))


@pytest.mark.parametrize("longest", [64, 128])
def test_texts_are_written_whole_up_to_the_longest_and_of_longer_ones_the_beginnings(
    store: Store, longest: int
) -> None:
    writer = trained(store, longest)
    cut = [tokens[:longest] for tokens in writer.subwords.encode(TEXTS)]
    assert sorted(map(len, cut))[-1] > 64 or longest == 64
    assert [texts[0] for texts in writer.write(VECTORS, 2)] == writer.subwords.decode(cut)
