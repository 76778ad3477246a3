"""The adversary's shadow models: what each is trained on, and what the adversary is given of it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.defenses import Defense
from core.games.translation_membership.contract import Briefing, Observed, Shadow, Use
from core.games.translation_membership.queries import PAIR_PREFIX
from core.games.translation_membership.split import Split, defended
from core.runtime.context import Arrays
from core.targets.training_job import TranslationJob
from core.text.bitext import Bitext


def training_job(
    of_targets: TranslationJob, split: Split, pairs: Bitext, defenses: tuple[Defense, ...], seed: int
) -> TranslationJob:
    """Return what shadow models are trained on behind some defenses.

    Args:
        of_targets: What target models are trained on.
        split: Who has which pairs.
        pairs: The adversary's, those for validation last.
        defenses: Those that the shadow models are trained behind.
        seed: Source of the randomness of defenses.
    """
    return replace(
        of_targets,
        bitext=pairs,
        selections=defended(pairs, split.shadow_training, defenses, seed),
        validation=len(split.adversary_rows) + np.arange(len(split.validation)),
        identity={**of_targets.identity, "holder": "adversary"},
        defenses=defenses,
    )


def briefed(split: Split, pairs: Bitext, by_kind: Sequence[Sequence[Arrays]], seed: int) -> Briefing:
    """Return what the adversary is given, with the labels of its own probes alone.

    Args:
        split: Who has which pairs.
        pairs: The adversary's, those for validation last.
        by_kind: What each shadow model gives, those behind the defenses that the adversary knows first, then any
            without them.
        seed: Source of the adversary's randomness.
    """
    shadows = [tuple(_shadow(split, model, arrays) for model, arrays in enumerate(of_kind)) for of_kind in by_kind]
    return Briefing(pairs, shadows[0], split.pairs, split.outside, seed, *shadows[1:])


def _shadow(split: Split, model: int, arrays: Arrays) -> Shadow:
    """Return what is given of the shadow model of a number."""
    uses: dict[int, Use] = {len(split.splits) - 1: "test", len(split.splits) - 2: "validation"}
    number, side = divmod(model, 2)
    halves = split.splits[number]
    member = np.repeat([side == 0, side == 1], [len(halves[0]), len(halves[1])])
    features = {
        name.removeprefix(PAIR_PREFIX): values for name, values in arrays.items() if name.startswith(PAIR_PREFIX)
    }
    observed = Observed.from_arrays(arrays)
    return Shadow(number, uses.get(number, "train"), np.concatenate(halves), member, observed, features)
