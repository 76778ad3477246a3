"""The adversaries of the games on embeddings, by what they know of the defenses, and what becomes of their answers."""

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from core.result import Estimate

AdversaryKind = Literal["adaptive", "naive"]
"""An adversary that knows the defenses and takes the better of two preparations, or one that does not know them."""

Answered = TypeVar("Answered")


def both_estimates(
    answers: Mapping[AdversaryKind, Answered],
    queries: Estimate,
    score: Callable[[Answered], dict[str, Estimate]],
) -> dict[str, Estimate]:
    """Return the estimates of the adaptive adversary, its queries, and the naive one's under names in ``_naive``."""
    estimates = {**score(answers["adaptive"]), "queries": queries}
    if "naive" in answers:
        estimates |= {f"{name}_naive": estimate for name, estimate in score(answers["naive"]).items()}
    return estimates


def by_variant(answers: Mapping[AdversaryKind, Answered], attack: str) -> dict[str, Answered]:
    """Return the answers by variant: the adaptive adversary's under the name of the attack, then the naive one's."""
    return {attack if kind == "adaptive" else kind: answer for kind, answer in answers.items()}
