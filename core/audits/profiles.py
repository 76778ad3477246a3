"""How much an audit of a vector store tries: the profiles, with the time and the interval to expect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from core.errors import InvalidSpec, suggestion

AnyProfile = TypeVar("AnyProfile")


@dataclass(frozen=True)
class Profile:
    """How much is tried.

    Attributes:
        name: Its name.
        victims: Vectors that are read, at most.
        texts: Texts of the same store that the adversary holds, at most.
        vocabulary: Words that it can name.
        epochs: Epochs of its classifier.
        pairs: Texts that leaked with their vectors, where the encoder is unknown.
        candidates: Suspected texts, half of them stored.
        minutes: What it takes on two cores for sentences and MiniLM, the frontier included.
        quick: Whether fewer storage formats and defenses are tried.
        search: How whole texts are searched for, fields of `corrective_inversion`; None for not at all.
        searched: Vectors whose texts are searched for, at most.
    """

    name: str
    victims: int
    texts: int
    vocabulary: int
    epochs: int
    pairs: int
    candidates: int
    minutes: int
    quick: bool = False
    search: Mapping[str, int] | None = None
    searched: int = 0

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval of F1 to expect: the F1 of single texts scatters by about 0.25."""
        return float(1.96 * 0.25 / self.victims**0.5)

    def announced(self, *, labelled: bool) -> str:
        """Say what to expect, before anything is started.

        Args:
            labelled: Whether the texts have labels: how well they are classified is then measured behind each format.
        """
        takes = f"About {self.minutes} min on two cores for sentences"
        if labelled:
            takes += ", and several times that with labels, which classifiers are tuned on"
        search = f", and the whole texts of up to {self.searched:,} are searched for" if self.search else ""
        return (
            f"Profile {self.name}: up to {self.victims:,} vectors, at most half of the store, are read by an adversary "
            f"with up to {self.texts:,} other texts{search}. {takes}; F1 to ± {self.margin:.2f}."
        )


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("smoke", 300, 1500, 1000, 10, 200, 400, 1, quick=True),
        Profile(
            *("routine", 1000, 4000, 2000, 20, 500, 1000, 5),
            search={"made_up": 2000, "written": 12, "rounds": 8, "asked": 8},
            searched=100,
        ),
        Profile(
            *("thorough", 2000, 20_000, 4000, 30, 1000, 2000, 45),
            search={"made_up": 20_000, "written": 24, "rounds": 16, "asked": 12},
            searched=300,
        ),
    )
}


def profile_named(name: str, known: Mapping[str, AnyProfile]) -> AnyProfile:
    """Return one of the profiles of an audit.

    Raises:
        InvalidSpec: There is none of that name.
    """
    if name not in known:
        raise InvalidSpec(f"An audit has no profile {name!r}.{suggestion(name, known)}", "profile")
    return known[name]
