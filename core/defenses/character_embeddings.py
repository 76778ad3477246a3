"""The model reads words by their characters too."""

from typing import ClassVar

from core.access import Access, NetworkInternals
from core.defenses import TrainingDefense, TrainingOptions


class CharacterEmbeddings(TrainingDefense):
    """Describe each word by its vector and by a convolution over its characters (Ma and Hovy 2016, section 2.1).

    The paper has it make the attack's optimisation harder (Parikh et al. 2022, section 6). Since what the convolution
    says of a word depends on that word alone, an adversary who has the model mixes these descriptions as it mixes word
    vectors, and this is what ours does.
    """

    title: ClassVar[str] = "character embeddings"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals})

    def on_training(self) -> TrainingOptions:
        """Ask for characters."""
        return TrainingOptions(characters=True)
