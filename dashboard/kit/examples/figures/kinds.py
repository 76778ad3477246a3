"""What a membership game about examples is about, in words: windows of words, or passages of sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import pandas as pd


@dataclass(frozen=True)
class Kind:
    """The words for one kind of example and for the groups it comes in; ``{}`` stands for the name of a group.

    Attributes:
        one: What one example is called.
        part: What its place in a document is counted in.
        header: Heading of the answer.
        title: Heading of the figure by group.
        axis: Title of the axis along which the groups lie.
        choice: Name of the control that chooses a group.
        group: What a group is called there.
        every: What all groups together are called there.
        name: What a group is called where it is one of a kind.
        point: What a pointer on one group says of it.
        first: Of which examples a figure is, where a group is named first.
        last: The same, where another one was named before.
        others: The same at the beginning of a sentence about the first group.
        among: The examples of a group.
        among_all: The examples of all groups.
        steps: What the advantage is expected to do from one group to the next.
        undrawn: Why some examples could not be drawn.
        largest: Whether headline figures, rules and ROC are about the group of the largest examples alone.
        figures: Returns the headline figures with their labels, given the table of groups.
    """

    one: str
    part: str
    header: str
    title: str
    axis: str
    choice: str
    group: str
    every: str
    name: str
    point: str
    first: str
    last: str
    others: str
    among: str
    among_all: str
    steps: Literal["falls", "rises"]
    undrawn: str
    largest: bool
    figures: Callable[[pd.DataFrame], Mapping[str, str]]

    @property
    def many(self) -> str:
        """Return what several examples are called."""
        return f"{self.one}s"

    def tick(self, group: str) -> str:
        """Return what stands at the axis for a group.

        >>> WINDOWS.tick("5–9"), PASSAGES.tick("20 sentences")
        ('5–9', '20')
        """
        return group.removesuffix(f" {self.part}s")

    def answer(self, groups: pd.DataFrame) -> str:
        """Return the name of the group that the answer is about; empty where it is about all of them."""
        return max(groups["group"], key=size, default="") if self.largest else ""


def of(attack: str) -> Kind:
    """Return the kind of example that an attack asks about."""
    return _KINDS[attack]


def size(group: str) -> int:
    """Return how many sentences a passage of a group has.

    >>> size("20 sentences")
    20
    """
    return int(group.split()[0])


def _window_figures(groups: pd.DataFrame) -> Mapping[str, str]:
    return {
        "auc": "AUC",
        "accuracy": "Right guesses",
        "tpr_at_1pct_fpr": "Found at 1 % accused",
        "auc_one_threshold": "AUC with one threshold",
        "auc_cosine": "AUC by cosine",
        "auc_model_free": "AUC by the texts alone",
    }


def _passage_figures(groups: pd.DataFrame) -> Mapping[str, str]:
    most, fewest = max(groups["group"], key=size, default=""), min(groups["group"], key=size, default="")
    return {
        "auc": f"AUC, {most}",
        "accuracy": "Right guesses",
        "tpr_at_1pct_fpr": "Found at 1 % accused",
        **({f"auc_{fewest.replace(' ', '_')}": f"AUC, {fewest}"} if fewest != most else {}),
        "auc_one_threshold": "AUC with one threshold",
        "auc_projection": "AUC by learned similarity",
        "neighbours_train": "Next found, own pairs",
        "neighbours_test": "Next found, new pairs",
    }


WINDOWS = Kind(
    one="window",
    part="word",
    header="Which windows were in",
    title="By how often the middle word occurs",
    axis="How often the middle word occurs in all documents",
    choice="How often the middle word occurs",
    group="{} times",
    every="Any number of times",
    name="band",
    point="middle word {} times",
    first="where the middle word occurs {} times",
    last="where it occurs {}",
    others="With the rarest middle words",
    among="windows whose middle word occurs {} times",
    among_all="windows of all bands",
    steps="falls",
    undrawn="they have a word that some model does not know, or stand in two documents",
    largest=False,
    figures=_window_figures,
)
PASSAGES = Kind(
    one="passage",
    part="sentence",
    header="Whose sentences were in",
    title="By how many sentences are asked about",
    axis="Sentences of one person, asked about together",
    choice="How many sentences",
    group="{}",
    every="Any number of sentences",
    name="length",
    point="{}",
    first="with {}",
    last="with {}",
    others="With {}",
    among="passages of {}",
    among_all="passages of any length",
    steps="rises",
    undrawn="the adversary was told about their writer, or two of their sentences follow each other in what several "
    "people wrote",
    largest=True,
    figures=_passage_figures,
)

_KINDS = {"window_similarity": WINDOWS, "sentence_similarity": PASSAGES}
