"""Words have character embeddings besides their vectors."""

from typing import ClassVar

from core.access import Access, NetworkInternals
from core.defenses import TrainingDefense, TrainingOptions


class CharacterEmbeddings(TrainingDefense):
    """Represent each word by its vector and a convolution over its characters (Ma and Hovy 2016, section 2.1).

    In the paper it makes the attack's optimisation harder (Parikh et al. 2022, section 6). But the convolution depends
    on the word alone, so an adversary with the model can mix these representations like word vectors, as ours does.
    """

    title: ClassVar[str] = "character embeddings"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals})

    def on_training(self) -> TrainingOptions:
        """Return the option of character embeddings."""
        return TrainingOptions(characters=True)
