"""Conditions on an experiment: the names in them are checked before it runs, and its result after."""

from collections.abc import Iterable

from core import catalog
from core.errors import InvalidSpec, suggestion
from core.experiment import Experiment, run
from core.report.condition import Condition, check, of_rate
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store


def reasons(experiment: Experiment, *conditions: str, context: RunContext | None = None) -> list[str]:
    """Run an experiment, and return why conditions hold of its result, or cannot be decided; none where they do not.

    Names of estimates are checked before anything is trained. In a test of pytest:

        assert not reasons(experiment, "auc.low > 0.55")

    Args:
        experiment: What to run.
        conditions: Such as ``auc.low > 0.55``.
        context: As for `core.experiment.run`.

    Raises:
        InvalidSpec: One is no condition, or the experiment has no such estimate.
        TelltaleError: As for `core.experiment.run`.
    """
    context = context or RunContext()
    check_names(experiment, map(Condition.parse, conditions), context.store)
    result, _ = run(experiment, context)
    return list(dict.fromkeys(reason for condition in conditions if (reason := check(result, condition))))


def check_names(experiment: Experiment, conditions: Iterable[Condition], store: Store) -> None:
    """Refuse conditions on estimates that an experiment does not give, before it is run.

    Where the data decide what is estimated, as with one's own keywords, a name must begin as one does that a result
    of the attack has which comes with the code.

    Args:
        experiment: The experiment.
        conditions: What is asked of its result.
        store: Holds the results that come with the code.

    Raises:
        InvalidSpec: It gives no such estimate.
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
