"""What is wrong with fields of an experiment's form, below each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.experiment import Experiment
from dashboard.kit.words import literal


@dataclass
class Marks:
    """What is known to be wrong in the form of an attack since a drawing before.

    Attributes:
        attack: Name of the attack.
    """

    attack: str
    _drawn: list[DeltaGenerator] = field(default_factory=list)

    def draw(self, path: str) -> None:
        """Show what is wrong with the field just drawn, by its dotted path; nothing where nothing is."""
        _, wrong = st.session_state.get(self._key, ("", {}))
        if path in wrong:
            self._drawn.append(st.empty())
            self._drawn[-1].error(literal(wrong[path]), icon=":material/edit:")

    def keep(self, of: str, wrong: Mapping[str, str]) -> None:
        """Keep what is wrong with fields, and draw the page anew if that is news; nothing takes away what was.

        Args:
            of: Key of the experiment that it is about; empty where the values make none.
            wrong: What is wrong, by the dotted paths of the fields.
        """
        if not wrong:
            self.forget()
        elif st.session_state.get(self._key) != (of, wrong):
            st.session_state[self._key] = (of, dict(wrong))
            st.session_state[self._news] = frozenset(wrong)
            st.rerun()

    def news(self) -> frozenset[str]:
        """Return the dotted paths of the fields that turned out to be wrong since the form was drawn, once."""
        return frozenset(st.session_state.pop(self._news, ()))

    def forget(self, but: str = "") -> None:
        """Take away what was wrong with other values than those of the experiment with this key."""
        of, _ = st.session_state.get(self._key, ("", {}))
        if not but or of != but:
            st.session_state.pop(self._key, None)
            for shown in self._drawn:
                shown.empty()

    @property
    def _key(self) -> str:
        return f"form/{self.attack}/wrong"

    @property
    def _news(self) -> str:
        return f"{self._key}/news"


def mark(experiment: Experiment, wrong: Mapping[str, str]) -> None:
    """Show below fields of an experiment's form what is wrong with them.

    Args:
        experiment: As it is in the form.
        wrong: What is wrong, by the dotted paths of the fields.
    """
    Marks(experiment.attack.part_name()).keep(experiment.key, wrong)
