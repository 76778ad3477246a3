"""Conditions on an experiment: names and what can be measured are checked before it runs, and its result after."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from core import catalog
from core.errors import InvalidSpec, suggestion
from core.experiment import Experiment, run
from core.games.audit import Audit
from core.games.membership import Membership
from core.games.membership.broken_split import is_broken
from core.report.condition import Condition, of_rate, stopping
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.measures import LOW_RATES, unmeasurable


def reasons(experiment: Experiment, *conditions: str, context: RunContext | None = None) -> list[str]:
    """Run an experiment, and return why conditions hold of its result, or cannot be decided; none where they do not.

    Names of estimates, and whether enough is decided to measure them, are checked before anything is trained. In a
    test of pytest:

        assert not reasons(experiment, "auc.low > 0.55")

    Where none is returned although a figure that no condition asks about lies above chance, that is a warning of
    Python.

    Args:
        experiment: What to run.
        conditions: Such as ``auc.low > 0.55``.
        context: As for `core.experiment.run`.

    Raises:
        InvalidSpec: One is no condition, or the experiment has no such estimate.
        TelltaleError: As for `core.experiment.run`.
    """
    context = context or RunContext()
    asked = [Condition.parse(condition) for condition in conditions]
    check_names(experiment, asked, context.store)
    result, _ = run(experiment, context)
    return stopping(result, asked)


def check_names(experiment: Experiment, conditions: Iterable[Condition], store: Store) -> None:
    """Refuse conditions on estimates that an experiment does not give or cannot measure, before it is run.

    Where the data decide what is estimated, as with one's own keywords, a name must begin as one does that a result
    of the attack has which comes with the code.

    Raises:
        InvalidSpec: It gives no such estimate, or decides about too few non-members to measure it.
    """
    conditions = list(conditions)
    if not conditions:
        return
    attack = experiment.attack.part_name()
    names = experiment.game.names(experiment.attack)
    begins = not names
    if begins:
        results = (Result.load(store, entry.key, tables=False) for entry in catalog.entries_of(attack))
        names = frozenset(name for result in results if result is not None for name in result.estimates)
    for condition in conditions:
        known = {condition.name, of_rate(condition.name)} & names
        if names and not known and not (begins and condition.name.startswith(tuple(f"{name}_" for name in names))):
            raise InvalidSpec(
                f"{attack} gives no estimate {condition.name!r}.{suggestion(condition.name, sorted(names))}", "fail_if"
            )
    _check_measurable(experiment, [condition.name for condition in conditions])


def _check_measurable(experiment: Experiment, names: Iterable[str]) -> None:
    """Refuse true-positive rates at false-positive rates below one of the non-members that are decided about."""
    rates = {name: next((rate for low, rate in LOW_RATES.items() if name.startswith(low)), 1.0) for name in names}
    decided = nonmembers(experiment) if min(rates.values()) < 1 else {}
    for name, rate in rates.items():
        outside = _of_size(decided, name)
        if outside is not None and (lack := unmeasurable(rate, outside)):
            first, *others = f"Ask about {of_rate(name)}", *_enough(experiment, name, rate)
            choices = ", or ".join([", ".join([first, *others[:-1]]), *others[-1:]])
            raise InvalidSpec(f"{name} is {lack}. {choices}.", "fail_if")


def _enough(experiment: Experiment, name: str, rate: float) -> Iterator[str]:
    """Yield what makes decisions about non-members enough for a true-positive rate.

    More plays need no more documents; more targets do, in a game that draws them and in an audit of marked ones.
    """
    game = experiment.game
    if isinstance(game, Audit):
        targets = round(1 / rate)
        inside, outside = game.takes(targets)
        yield f"set 'targets' to {targets:,}, for which {inside:,} {game.users} in and {outside:,} out must be marked"
        return
    for parameter, condition in (("plays", ""), ("targets", " if there are documents for them")):
        if (least := _least(experiment, name, rate, parameter)) is not None:
            yield f"set {parameter!r} to {least:,}{condition}"


def _least(experiment: Experiment, name: str, rate: float, parameter: str) -> int | None:
    """Return the smallest value of a parameter of the game that makes a rate measurable; None if none in bounds does.

    As coins may decide who is out, values are tried from somewhat below the proportional one on.
    """
    setting: int = getattr(experiment.game, parameter)
    now = _of_size(nonmembers(experiment), name) or 1
    for value in count(max(setting + 1, int(0.9 * setting / (rate * now)))):
        try:
            tried = experiment.replace(game=experiment.game.replace(**{parameter: value}))
        except InvalidSpec:
            return None
        if not unmeasurable(rate, _of_size(nonmembers(tried), name) or 0):
            return value
    return None


def _of_size(decided: Mapping[int, int], name: str) -> int | None:
    """Return the decisions about non-members behind an estimate, by the size of targets that its name ends in."""
    size = name.rpartition("_")[2]
    return decided.get(int(size) if size.isdecimal() else 0, decided.get(0))


def nonmembers(experiment: Experiment) -> dict[int, int]:
    """Return how many decisions about non-members an experiment makes, by size of targets, 0 for all sizes.

    Empty where only the run tells.
    """
    game = experiment.game
    if isinstance(game, Audit):
        drawn = game.draw(experiment.dataset.load(), experiment.seed)
        return {0: int((~drawn.member).sum())}
    if not isinstance(game, Membership) or is_broken(game.as_dict()):
        return {}
    out = (~game.draw(experiment.seed)).sum(axis=0).reshape(len(game.target_sizes), game.targets).sum(axis=1)
    return {0: int(out.sum()), **dict(zip(game.target_sizes, out.tolist(), strict=True))}
