"""Groups of a form that are folded away until somebody opens them, or a field in them turns out to be wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st

from core.spec import Spec
from dashboard.kit.inputs.declared import parameters


@dataclass(frozen=True)
class Groups:
    """The groups of one form.

    Attributes:
        attack: Name of the attack that the form is of.
        news: Dotted paths of the fields that turned out to be wrong since the form was drawn before.
    """

    attack: str
    news: frozenset[str] = field(default_factory=frozenset)

    @contextmanager
    def unfolded(self, title: str, *paths: str, expanded: bool = False) -> Iterator[bool]:
        """Fold widgets away, and yield whether they are visible: hidden ones are not drawn.

        Args:
            title: Title of the group.
            *paths: Dotted paths of its fields; the group opens once when one of them is news, and can be closed again.
            expanded: Whether it is open at the start.
        """
        key = f"form/{self.attack}/unfolded/{title}"
        if any(wrong == path or wrong.startswith(f"{path}.") for wrong in self.news for path in paths):
            st.session_state[key] = True
        with st.expander(title, expanded, key=key, on_change="rerun") as expander:
            yield bool(expander.open)


def paths(spec: Spec, prefix: str, *, advanced: bool = False) -> list[str]:
    """Return the dotted paths of the fields of a part that its own group holds, or of its fine settings.

    >>> from core.experiment import Experiment
    >>> paths(Experiment.preset("word_pairs", "demo").game, "game.")[:2]
    ['game.rules', 'game.users']
    """
    return [prefix + name for name, parameter in parameters(type(spec)).items() if parameter.advanced == advanced]
