"""The experiments whose results come with the code."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from typing import Any

from core.errors import UnknownPart
from core.experiment import Experiment
from core.result import Result
from core.store import Store

_MODES = {"cbow": "CBOW", "skip_gram": "skip-gram"}
_FRACTIONS = (50, 20)


@dataclass(frozen=True)
class Entry:
    """A promised result.

    Attributes:
        name: What the command line calls it.
        title: What pages call it.
        says: One sentence: what it is there to show.
        experiment: What was run.
    """

    name: str
    title: str
    says: str
    experiment: Experiment


@cache
def entries() -> tuple[Entry, ...]:
    """Return every promised result, the one to show first in front."""
    return tuple(_all())


def matching(pattern: str) -> list[Entry]:
    """Return the entries whose name matches a shell pattern.

    Raises:
        UnknownPart: None does.
    """
    found = [entry for entry in entries() if fnmatchcase(entry.name, pattern)]
    if not found:
        raise UnknownPart("precomputed result", pattern, [entry.name for entry in entries()])
    return found


def check(store: Store, pattern: str = "*") -> list[str]:
    """Return what is wrong with the promised results: absent, damaged, or of another version."""
    problems = []
    shipped = replace(store, root=store.shipped / "none beside these")
    for entry in matching(pattern):
        key = entry.experiment.key
        if not store.is_shipped(key):
            problems.append(f"{entry.name}: no result under precomputed/{key}.")
            continue
        result = Result.load(shipped, key)
        if result is None:
            problems.append(f"{entry.name}: precomputed/{key} is damaged.")
        elif result.experiment != entry.experiment.as_dict():
            problems.append(f"{entry.name}: precomputed/{key} holds another experiment.")
    promised = {entry.experiment.key for entry in entries()}
    there = store.shipped.iterdir() if store.shipped.is_dir() else ()
    extra = sorted(path.name for path in there if path.is_dir() and path.name not in promised)
    return problems + [f"precomputed/{key} is not promised by any entry." for key in extra]


def _all() -> Iterator[Entry]:
    yield Entry(
        "mailboxes",
        "Which word pairs betray an Enron mailbox",
        "Twenty real people, a hundred e-mails of each: which pairs of words tell that their mail was used.",
        _word_pairs(
            game={"users": "owners", "target_sizes": [100], "targets": 20, "plays": 30, "documents": 8000},
            attack={"shadow_pairs": 100},
        ),
    )
    for mode, title in _MODES.items():
        model = {"mode": mode}
        yield Entry(
            f"figure_3_{mode}",
            f"Accuracy against shadow models, {title}",
            "One, ten and a hundred e-mails at the paper's setting (Figure 3).",
            _word_pairs(model=model),
        )
        yield Entry(
            f"figure_4_{mode}",
            f"Shadow models from other mailing lists, {title}",
            "The adversary has no Enron mail of its own and trains on R mailing lists instead (Figure 4).",
            _word_pairs(model=model, attack={"shadow_data": "r_mailing_lists"}),
        )
        for percent, adaptive in product(_FRACTIONS, (True, False)):
            name = "adaptive" if adaptive else "unaware"
            yield Entry(
                f"figure_5_{mode}_{percent}_{name}",
                f"{percent} % of each user's mail, {name} adversary, {title}",
                "The trainer uses only a part of each user's mail (Figure 5).",
                _word_pairs(
                    model=model,
                    attack={"adaptive": adaptive},
                    defenses=[{"part": "subsampling", "fraction": percent / 100}],
                ),
            )
    yield Entry(
        "demo",
        "Word pairs on a Wikipedia excerpt",
        "The small experiment that anyone can run live in under a minute.",
        Experiment.preset("word_pairs", "demo"),
    )


def _word_pairs(
    model: dict[str, Any] | None = None,
    attack: dict[str, Any] | None = None,
    game: dict[str, Any] | None = None,
    defenses: list[dict[str, Any]] | None = None,
) -> Experiment:
    preset = Experiment.preset("word_pairs", "paper").as_dict()
    return Experiment.parse(
        {
            **preset,
            "model": {**preset["model"], **(model or {})},
            "attack": {**preset["attack"], **(attack or {})},
            "game": {**preset["game"], **(game or {})},
            "defenses": defenses or [],
        }
    )
