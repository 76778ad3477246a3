"""The security games: each draws the secret, lets the adversary play, and scores its answers."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

from core.corpora.documents import LargeDocuments
from core.datasets import Dataset
from core.defenses import Defense
from core.errors import Incompatible
from core.games.attack import Attack
from core.games.standards import Standard
from core.registry import Part
from core.result import Drawing, Estimate, Outcome, Schema, Tables
from core.runtime.context import RunContext
from core.targets.model import Model

_ANSWERED = ("score", "probability", "similarity")
"""Columns of what an adversary answers."""
_ABOUT = ("variant", "size", "play", "target", "victim", "candidate")
"""Columns that say what an answer is about."""

PlayedAttack = TypeVar("PlayedAttack", bound=Attack)
PlayedModel = TypeVar("PlayedModel", bound=Model)
Contents = TypeVar("Contents")
Computed = TypeVar("Computed")


@dataclass(frozen=True)
class Setup(Generic[Contents, PlayedModel, PlayedAttack]):
    """What a game is played with.

    Attributes:
        dataset: The data that the game is about.
        model: The model under attack.
        defenses: What the trainer, or the holder of texts, does against the attack.
        attack: What the adversary does.
        seed: Source of all randomness.
        context: Where models are trained and progress is reported.
        loaded: What the dataset holds, if it has been read already.
        read: What datasets hold that games before this one read, by key; what this one reads is added. It is the games'
            own: no attack is handed what is secret in it.
    """

    dataset: Dataset
    model: PlayedModel
    defenses: tuple[Defense, ...]
    attack: PlayedAttack
    seed: int
    context: RunContext
    loaded: Contents | None = None
    read: dict[str, Any] | None = None

    @cached_property
    def contents(self) -> Contents:
        """What the dataset holds, read when first asked for."""
        if self.loaded is not None:
            return self.loaded
        if self.read is None:
            return self._load()
        key = self.dataset.key
        if key not in self.read:
            self.read[key] = self._load()
        contents: Contents = self.read[key]
        return contents

    def once(self, what: str, compute: Callable[[], Computed]) -> Computed:
        """Return what games on the same contents have in common, computed by the first that shares what is read.

        Args:
            what: Names all that determines it besides dataset, model and seed.
            compute: Computes it.
        """
        if self.read is None:
            return compute()
        key = f"{what} {self._common}"
        if key not in self.read:
            self.read[key] = compute()
        computed: Computed = self.read[key]
        return computed

    @cached_property
    def _common(self) -> str:
        return f"{self.dataset.key} {self.model.key} {self.seed}"

    def _load(self) -> Contents:
        self.context.progress.stage(f"Reading {self.dataset.title}")
        contents: Contents = self.dataset.load()
        if isinstance(contents, LargeDocuments):
            contents.tokenised_by(self.context.engine, self.context.progress)
        return contents


class Game(Part):
    """The rules of a security experiment.

    Attributes:
        attack_kind: Base of the attacks that play it.
        model_kind: Base of the models that it is played on.
        tables: The tables that it yields for any attack.
        drawings: Its drawings for any attack, as `Attack.drawings` says.
        main: Name of the estimate that summarises a result; empty where `core.result.headline` chooses one.
        standards: Entries of catalogues of risks that its attacks test, of `core.games.standards`: at least one.
        low_rates: True-positive rates at low false-positive rates that it gives where enough non-members are decided
            about, by their names in `core.statistics.measures.LOW_RATES`.
    """

    kind: ClassVar[str] = "game"
    attack_kind: ClassVar[type[Attack]]
    model_kind: ClassVar[type[Model]] = Model
    tables: ClassVar[dict[str, Schema]]
    drawings: ClassVar[Mapping[str, Drawing]] = {}
    main: ClassVar[str] = ""
    standards: ClassVar[tuple[Standard, ...]] = ()
    low_rates: ClassVar[tuple[str, ...]] = ()

    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
        read: dict[str, Any] | None = None,
    ) -> Outcome:
        """Draw the secret, let the adversary play, and return estimates and tables.

        Arguments are those of `Setup`.

        Raises:
            Incompatible: The parts do not fit this game, the dataset is too small for it, or an answer is no number.
            ModelRefused: What the model starts from cannot be read safely.
            ModelUnavailable: That is neither on this machine nor reachable.
        """
        for played, base in ((attack, self.attack_kind), (model, self.model_kind)):
            if not isinstance(played, base):
                raise Incompatible(
                    f"The {played.kind} of the game {self.part_name()} must be a {base.__name__}. Got "
                    f"{played.part_name()}, a {type(played).__name__}, instead."
                )
        model.check_ready()
        estimates, tables = self._play(Setup(dataset, model, defenses, attack, seed, context, read=read))
        _check_numbers(attack, tables)
        return estimates, tables

    def with_owners(self, owners_named: bool) -> Self:
        """Return the rules for a user's documents: targets are real owners where the documents name them."""
        return self

    def versions(self, attack: Any, model: Any, *, released: bool) -> dict[str, int]:
        """Return versions of what an attack does by these rules alone, beside those of all parts; none for most.

        Args:
            attack: What the adversary does.
            model: What it attacks.
            released: Whether a defense acts on the embeddings that are released.
        """
        return {}

    def plan(self) -> str:
        """Return who is attacked, and how often, as a sentence; empty where the settings alone say so."""
        return ""

    def caveat(self) -> str:
        """Return what must stand wherever a result of these rules is shown; empty for most."""
        return ""

    def keeps_back(self, dataset: Dataset, model: Model, attack: Attack) -> bool:
        """Tell whether behind a defense of embeddings the adversary learns from fewer texts than without any.

        It keeps some back to choose how it prepares. A figure that is lower behind the defense then shows no effect of
        the defense alone.
        """
        return False

    def workload(self, attack: Any, documents: int) -> int:
        """Return about how many documents a run processes; a document counts once for each training."""
        return documents

    def names(self, attack: Any) -> frozenset[str]:
        """Return the names of all estimates that it may give of an attack; none where the data decide."""
        return frozenset()

    def counted(self, estimates: Mapping[str, Estimate], tables: Tables) -> dict[str, Estimate]:
        """Return the estimates of a result with the decisions behind each, where the stored ones count their parts."""
        return dict(estimates)

    def check_contents(self, setup: Setup[Any, Any, Any]) -> None:
        """Check before any training whether the contents suit attack, model and rules.

        Raises:
            Incompatible: They do not; its ``fits`` hold the nearest settings where the game knows them.
        """

    def alternatives(self, setup: Setup[Any, Any, Any]) -> Iterator[dict[str, Any]]:
        """Yield changes to try where contents are refused without settings that fit, the least change first.

        A change maps dotted names, such as ``game.pieces``, to values. The caller checks the contents with it.
        """
        yield from ()

    @abstractmethod
    def _play(self, setup: Setup[Any, Any, Any]) -> Outcome:
        """Play the game with parts of the right kinds."""


def _check_numbers(attack: Attack, tables: Tables) -> None:
    """Check that every answer is a number: no figure can count another.

    Raises:
        Incompatible: One is not.
    """
    for name, table in tables.items():
        for column in [column for column in _ANSWERED if column in table]:
            if (lacking := table[table[column].isna()]).empty:
                continue
            about = ", ".join(f"{part} {lacking.iloc[0][part]}" for part in _ABOUT if part in lacking)
            raise Incompatible(
                f"The {column} of each answer of {attack.part_name()} must be a number. In the table {name!r} "
                f"{len(lacking):,} of {len(table):,} are nan, first that of {about}. Where nothing can be told, give "
                "the same number each time, 0.0 for example."
            )
