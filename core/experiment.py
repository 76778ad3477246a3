"""An experiment, and the one way to run it."""

import os
import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version as installed
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from core.datasets import Dataset
from core.defenses import Defense, EmbeddingDefense, TrainingDefense
from core.encoders import devices
from core.errors import Incompatible, InvalidSpec, TelltaleError, UnknownPart, suggestion
from core.games import Game
from core.games.attack import Attack
from core.registry import Part, names, parts
from core.result import Drawing, Provenance, Result
from core.runtime.context import RunContext
from core.spec import Spec, parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel, TrainedSentenceModel

_PACKAGES = (
    *("gensim", "numba", "numpy", "opacus", "pandas", "pytorch-crf", "sacrebleu", "scikit-learn", "scipy"),
    *("tokenizers", "torch", "transformers", "umap-learn"),
)


class Experiment(Spec):
    """An attack on a model of a dataset, with defenses, the rules of a game and a seed.

    Equal experiments have equal keys and, on one machine, equal results to the byte.
    """

    version: ClassVar[int] = 1

    attack: Attack = Field(description="What the adversary does.")
    dataset: Dataset = Field(description="The data that the attack is about.")
    model: Model = Field(description="The model that is trained on the data and attacked.")
    defenses: tuple[Defense, ...] = Field((), description="What the trainer does against the attack.", max_length=4)
    game: Game = Field(description="The rules by which the attack is scored.")
    seed: int = parameter(1, "Seed of all random draws.", ge=0, le=2**31 - 1)

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the parts, and the versions of what this attack does in this game alone."""
        by_rules = self.game.versions(self.attack, self.model, released=self._released)
        return {**super().identity(), **by_rules, **self.attack.versions(self.defenses)}

    @property
    def drawings(self) -> Mapping[str, Drawing]:
        """The drawings of its result, by name."""
        return {**self.game.drawings, **self.attack.drawings}

    @property
    def keeps_back(self) -> bool:
        """Whether the adversary learns from fewer texts than without the defenses, see `core.games.Game.keeps_back`."""
        return self._released and self.game.keeps_back(self.dataset, self.model, self.attack)

    @property
    def _released(self) -> bool:
        """Whether a defense acts on the embeddings that are released."""
        return any(isinstance(defense, EmbeddingDefense) for defense in self.defenses)

    def has_key(self, key: str) -> bool:
        """Tell whether this is its key: not once files that it names have changed, or lie elsewhere."""
        try:
            return self.key == key
        except TelltaleError:
            return False

    @model_validator(mode="before")
    @classmethod
    def _rules_follow_the_attack(cls, values: Any) -> Any:
        if not isinstance(values, Mapping) or "attack" not in values:
            return values
        try:
            attack = Attack.resolve(values["attack"])
        except InvalidSpec as problem:
            raise InvalidSpec(str(problem), f"attack.{problem.field}".removesuffix(".")) from None
        for kind, given in ((Model.kind, values.get("model")), (Defense.kind, values.get("defenses"))):
            _check_names(attack, kind, given)
        game = values.get("game", {})
        if isinstance(game, Mapping):
            game = {"part": attack.game, **game}
        return {**values, "attack": attack, "game": game}

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        unfit = (reason for defense in self.defenses if (reason := defense.unfit(self.dataset, self.defenses)))
        if reason := misfit(self.attack, self.model):
            raise InvalidSpec(f"{reason} {_named(self.attack, Model.kind)}")
        if reason := misfit(self.attack, self.model, self.defenses):
            raise InvalidSpec(f"{reason} {_named(self.attack, Defense.kind)}" if self.attack.defensible else reason)
        if reason := self._misread() or next(unfit, ""):
            raise InvalidSpec(reason)
        self.model.check_under(self.defenses, self.dataset)
        if self.game.part_name() != self.attack.game:
            raise InvalidSpec(f"{self.attack.part_name()} plays the game {self.attack.game!r}.", "game")
        return self

    def _misread(self) -> str:
        content, wanted = self.dataset.holds, self.model.reads
        holds = f"{self.dataset.part_name()} holds {content.__name__}."
        if content not in (self.attack.reads, *self.attack.also_reads):
            return f"{self.attack.part_name()} reads {self.attack.reads.__name__}. {holds}"
        if wanted not in (None, content):
            return f"{self.model.part_name()} is known from {wanted.__name__} only. {holds}"
        return ""

    @classmethod
    def preset(cls, attack: str, name: str, /, **changes: Any) -> Self:
        """Return the experiment of an attack's preset.

        Args:
            attack: Name of the attack.
            name: A preset that the attack declares; ``demo`` is one of each.
            changes: Fields of the experiment to replace, for example ``dataset`` or ``seed``.

        Raises:
            UnknownPart: There is no such attack.
            InvalidSpec: The attack has no such preset, or a change breaks a rule.
        """
        presets = Attack.by_name(attack).presets
        if name not in presets:
            raise InvalidSpec(f"{attack} has no preset {name!r}.{suggestion(name, presets)}", "preset")
        values = {**presets[name], **changes}
        values["attack"] = {"part": attack, **presets[name].get("attack", {}), **changes.get("attack", {})}
        return cls.parse(values)


def misfit(attack: Attack | type[Attack], model: Model | type[Model], defenses: tuple[Defense, ...] = ()) -> str:
    """Return why an attack cannot be run on a model under some defenses, or an empty text when it can."""
    needed = attack.access() if isinstance(attack, Attack) else attack.needs
    if needed not in model.provides:
        titles = {access.title for access in model.provides}
        widest = (title for title in titles if not any(other.startswith(title) for other in titles - {title}))
        offered = "; ".join(sorted(widest))
        return f"{attack.part_name()} needs {needed.title}. {model.part_name()} offers {offered}."
    if attack.needs_encoder and not getattr(model, "known", True):
        return f"{attack.part_name()} queries the encoder. {model.part_name()} offers stored vectors only."
    if defenses and not attack.defensible:
        return f"{attack.part_name()} is run without defenses. Remove {defenses[0].part_name()}."
    for defense in defenses:
        if isinstance(defense, TrainingDefense) and not _trained(model):
            return f"{defense.part_name()} changes how an encoder is trained. {model.part_name()} is pretrained."
        if needed not in defense.protects:
            return f"{defense.part_name()} does not protect {needed.title}, which {attack.part_name()} uses."
    return ""


def fitting(attack: Attack | type[Attack], kind: str) -> tuple[type[Part], ...]:
    """Return the models, or the defenses, whichever the kind is, that fit an attack."""
    if kind == Model.kind:
        models = (cls for cls in parts(kind) if issubclass(cls, Model) and not misfit(attack, cls))
        return tuple(cls for cls in models if cls.reads in (None, attack.reads))
    needed = attack.access() if isinstance(attack, Attack) else attack.needs
    return tuple(cls for cls in parts(kind) if attack.defensible and needed in getattr(cls, "protects", ()))


def _named(attack: Attack, kind: str) -> str:
    """Return the models, or the defenses, that fit an attack as a sentence."""
    fit = [cls.part_name() for cls in fitting(attack, kind)]
    return f"What fits {attack.part_name()}: {', '.join(fit)}." if fit else f"No {kind} fits {attack.part_name()}."


def _check_names(attack: Attack, kind: str, given: Any) -> None:
    """Refuse names that no model, or no defense, has; what fits the attack is suggested.

    Parts are given as such, by name or by parameters; several as a list, or as a text with commas.
    """
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",")] if given else []
    for value in given if isinstance(given, list | tuple) else [given]:
        name = value.get("part") if isinstance(value, Mapping) else value
        if isinstance(name, str) and name not in names(kind):
            fit = [cls.part_name() for cls in fitting(attack, kind)]
            raise UnknownPart(kind, name, fit, all_named=_named(attack, kind))


def _trained(model: Model | type[Model]) -> bool:
    """Tell whether a run trains the model, rather than loading it pretrained."""
    cls = model if isinstance(model, type) else type(model)
    return issubclass(cls, TrainedSentenceModel) or not issubclass(cls, SentenceModel)


def run(
    experiment: Experiment, context: RunContext | None = None, read: dict[str, Any] | None = None
) -> tuple[Result, bool]:
    """Run an experiment, or read its stored result.

    Nothing else produces a result. What a killed run had finished is not computed again.

    Args:
        experiment: What to run.
        context: Store, engine and progress; when None, the user's folder, this machine and no progress report.
        read: What datasets hold that experiments before this one read, by key; what this one reads is added.

    Returns:
        The result, and whether it was in the store already.

    Raises:
        Incompatible: The parts do not fit, or the dataset is too small.
        DataError: The data are missing or damaged.
        StoreError: Results cannot be stored.
        RunCancelled: A person stopped the run.
    """
    context = context or RunContext()
    key = experiment.key
    if (stored := Result.load(context.store, key)) is not None:
        return stored, True
    context.store.check_writable()
    context.kept.clear()
    machine, started, clock = devices.machine(), datetime.now(UTC), time.perf_counter()
    try:
        estimates, tables = experiment.game.play(
            experiment.dataset, experiment.model, experiment.defenses, experiment.attack, experiment.seed, context, read
        )
    finally:
        context.release()
    _check_declared(experiment, "tables", {*experiment.game.tables, *experiment.attack.tables}, set(tables))
    _check_declared(experiment, "drawings", set(experiment.drawings), set(context.kept))
    provenance = Provenance(
        started=started.isoformat(timespec="seconds"),
        wall_seconds=round(time.perf_counter() - clock, 1),
        trainings=context.trainings,
        training_seconds=round(context.training_seconds, 1),
        peak_memory_mb=round(context.peak_memory_mb, 1),
        cores=len(os.sched_getaffinity(0)),
        python=platform.python_version(),
        machine=machine,
        packages=_versions(),
    )
    result = Result(experiment.as_dict(), dict(sorted(estimates.items())), provenance, tables)  # as it is read again
    for name, drawing in experiment.drawings.items():
        context.store.put_arrays(key, drawing.key(name, key), context.kept[name])
    result.save(context.store, key)
    return result, False


@cache
def _versions() -> dict[str, str]:
    """Return the version of each package that decides about results; they stay the same while a process lives."""
    return {name: installed(name) for name in _PACKAGES}


def _check_declared(experiment: Experiment, what: str, declared: set[str], yielded: set[str]) -> None:
    if yielded != declared:
        raise Incompatible(
            f"{experiment.attack.part_name()} declares the {what} {sorted(declared)} but gave {sorted(yielded)}."
        )
