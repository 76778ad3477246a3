"""A network in memory that stands for several language models fine-tuned from one base."""

from core.encoders.causal import CausalNetwork
from core.networks.language.fine_tuning import prepare, restore
from core.networks.states import Arrays


class SharedNetwork:
    """A network that holds the weights of one of several fine-tuned models at a time."""

    def __init__(self, base: CausalNetwork, rank: int) -> None:
        """Take a base, freshly loaded, and the rank of its adapters; 0 where all weights are trained."""
        prepare(base, rank)
        base.model.eval().requires_grad_(False)
        self._network = base
        self._held: Arrays = {}

    def holding(self, state: Arrays) -> CausalNetwork:
        """Return the network with the weights of a state, until it is asked for those of another."""
        if state is not self._held:
            restore(self._network, state)
            self._held = state
        return self._network

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return self._network.vocabulary
