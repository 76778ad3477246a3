"""The base of every attack."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from core.access import Access
from core.defenses import Defense
from core.errors import Incompatible
from core.registry import Part
from core.result import Drawing, Schema, Tables
from core.spec import parameter
from core.text.contents import Documents

_CHOICE_VERSION = 1
"""Raised when an adversary chooses otherwise between both kinds of shadow models."""
_UNAWARE = "It does not know the trainer’s defense, and trains models of its own as if there were none."


def adaptive_parameter(
    text: str = "The adversary knows the trainer's defense and applies it to the shadow models.", *, implied: Any = ...
) -> Any:
    """Declare whether an adversary knows the trainer's defenses; ``text`` and ``implied`` are those of `parameter`."""
    return parameter(True, text, advanced=True, implied=implied)


class Attack(Part):
    """An attack with its parameters.

    Attributes:
        needs: The weakest access that suffices.
        reads: Contents that the dataset must hold; forms offer these.
        also_reads: Other contents that suffice.
        needs_encoder: Whether it queries the encoder; if not, the stored vectors of its own texts suffice.
        question: The question it answers, one sentence for the page.
        claim: What the adversary infers and from what; begins with "Given", and a page adds how often it is right.
        threat: What the adversary knows and may do, one sentence for the page.
        game: Name of the game it plays.
        defensible: Whether its game supports defenses.
        trains_behind: Kinds of defenses behind which the adversary trains models of its own, as the trainer does.
        fewest_texts: Fewest texts of its own that the adversary needs.
        tables: Schemas of its tables beside the game's own.
        drawings: Tables that only pages show, by name; a run keeps what each is drawn from in `RunContext.kept`.
        presets: By name, the parts of an experiment that a preset sets: ``demo``, on data that come with the code, and
            others such as ``paper``, the setting of the attack's paper.
    """

    kind: ClassVar[str] = "attack"
    needs: ClassVar[type[Access]]
    reads: ClassVar[type] = Documents
    also_reads: ClassVar[tuple[type, ...]] = ()
    needs_encoder: ClassVar[bool] = True
    question: ClassVar[str]
    claim: ClassVar[str] = ""
    threat: ClassVar[str]
    game: ClassVar[str]
    defensible: ClassVar[bool] = True
    trains_behind: ClassVar[tuple[type[Defense], ...]] = ()
    fewest_texts: ClassVar[int] = 0
    tables: ClassVar[dict[str, Schema]] = {}
    drawings: ClassVar[Mapping[str, Drawing]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]]

    def access(self) -> type[Access]:
        """Return the access that the adversary with these parameters must have: ``needs``, or more."""
        return self.needs

    @property
    def named(self) -> str:
        """The title, with what tells it from the same attack on another secret."""
        return self.title

    @property
    def asks(self) -> str:
        """The question that it answers with these parameters."""
        return self.question

    @property
    def claimed(self) -> str:
        """The claim with these parameters."""
        return self.claim

    @property
    def assumed(self) -> str:
        """The threat model with these parameters."""
        return self.threat

    @property
    def unaware(self) -> bool:
        """Whether the adversary could know the trainer's defenses, and does not."""
        return False

    def knowing(self, *, adaptive: bool) -> Self:
        """Return the same attack by an adversary that knows the defenses, or by a naive one, if it can be either."""
        return self

    def adapts_to(self, defenses: Iterable[Defense]) -> bool:
        """Tell whether the adversary trains models of its own behind all of some defenses."""
        return all(isinstance(defense, self.trains_behind) for defense in defenses)

    def versions(self, defenses: Sequence[Defense]) -> dict[str, int]:
        """Return versions of what it does behind some defenses alone, beside its own; none for most."""
        return {}

    def returned(self) -> str:
        """Return what the answers to the adversary's queries are, in words."""
        return self.access().title

    def check_held(self, texts: int) -> None:
        """Check how many texts of its own the adversary has.

        Raises:
            Incompatible: They are too few.
        """
        if texts < self.fewest_texts:
            raise Incompatible(
                f"{self.part_name()} learns from at least {self.fewest_texts} texts. The adversary has {texts}: give "
                "it a larger share."
            )

    def remark(self, tables: Tables) -> str:
        """Return what a result says beside its estimates, of the user's own sentence or a baseline; empty for most."""
        return ""

    def unanswered(self, missing: str, variants: Iterable[str]) -> Incompatible:
        """Return the error of a game to which the adversary gave no answer under the name of the attack.

        Args:
            missing: What it should have given, such as ``an adversary``.
            variants: The names of what it gave.
        """
        name = self.part_name()
        received = ", ".join(repr(variant) for variant in dict.fromkeys(variants)) or "nothing"
        return Incompatible(
            f"{name} must give {missing} under the name of the attack: its 'variant' must be {name!r}, others are "
            f"baselines. Got {received} instead."
        )


class AdaptiveAttack(Attack):
    """An attack whose adversary trains shadow models behind the trainer's defenses, or as if there were none."""

    trains_behind: ClassVar[tuple[type[Defense], ...]] = (Defense,)

    adaptive: bool = adaptive_parameter(implied=True)

    @property
    def unaware(self) -> bool:
        """Whether the adversary does not know the trainer's defenses."""
        return not self.adaptive

    @property
    def assumed(self) -> str:
        """The threat model with these parameters, and that a naive adversary knows no defense."""
        return self.assuming(super().assumed)

    def assuming(self, threat: str) -> str:
        """Return a threat model, to which is added of a naive adversary that it knows no defense."""
        return threat if self.adaptive else f"{threat} {_UNAWARE}"

    def adapts_to(self, defenses: Iterable[Defense]) -> bool:
        """Tell whether the adversary knows the defenses, and trains its shadow models behind them."""
        return self.adaptive and super().adapts_to(defenses)

    @property
    def named(self) -> str:
        """The title, and whether the adversary is naive."""
        return super().named if self.adaptive else f"{super().named} (naive adversary)"

    def knowing(self, *, adaptive: bool) -> Self:
        """Return the same attack by an adversary that knows the defenses, or by a naive one."""
        return self.replace(adaptive=adaptive)


class ChoosingAttack(AdaptiveAttack):
    """An attack whose adversary also trains shadow models without the defenses that it knows, and chooses.

    It decides by the kind that does better on its own texts behind the defenses, which were left out: a defense may
    weaken what shadow models tell more than it hides in the target model.
    """

    adaptive: bool = adaptive_parameter(
        "The adversary knows the trainer's defense. It trains shadow models behind it, and as many without it, and "
        "decides by the kind that does better on its own texts. Without a defense it changes nothing.",
        implied=True,
    )

    def preparations(self, defenses: Sequence[Defense]) -> tuple[tuple[Defense, ...], ...]:
        """Return behind which defenses the adversary trains each kind of its shadow models.

        Both kinds stop training early if the trainer does: models would else train for as long as that allows.

        Args:
            defenses: The trainer's.
        """
        if not self.adaptive:
            return ((),)
        behind, without = tuple(defenses), tuple(defense for defense in defenses if defense.stops_training)
        return (behind,) if without == behind else (behind, without)

    def versions(self, defenses: Sequence[Defense]) -> dict[str, int]:
        """Return the version of the choice, where there is one; results without any keep their keys."""
        return {"preparations_version": _CHOICE_VERSION} if len(self.preparations(defenses)) > 1 else {}
