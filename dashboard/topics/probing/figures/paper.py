"""Tables 1 to 3 of Mahloujifar et al. 2021, on membership through a classifier, with our results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.games.membership import Membership
from core.result import Estimate, Result
from core.statistics.wording import measured_in, percent
from core.targets.document_model import DocumentModel
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.membership.figures import sizes
from dashboard.kit.membership.figures.headline import outcomes
from dashboard.kit.shared import once

NOTE = (
    "The paper counts targets in sentences, we in documents, each an e-mail of many sentences. It does not define its "
    "±. Its e-mails of other people, Avocado, are not public: ours are R mailing lists. It mentions no near copies; we "
    "leave them out of Enron-Spam, and train on fewer documents, for fewer targets, with fewer shadow models. A "
    "difference may come from any of these."
)
"""Limits of the comparison."""

_PAPER, _OURS = "The paper", "Here"
_X = "Documents of a target (the paper: sentences)"


@dataclass(frozen=True)
class Setting:
    """One setting of the paper's section 4.2.

    Attributes:
        name: Key of the setting.
        documents: Training data of the classifier.
        table: Number of its table of accuracies.
        accuracy: Accuracy and ± by size of the target, as shares.
        train: Accuracy and ± of the classifier on its training documents (Table 3).
        test: The same on new documents.
    """

    name: str
    documents: str
    table: int
    accuracy: Mapping[int, tuple[float, float]]
    train: tuple[float, float]
    test: tuple[float, float]

    @property
    def title(self) -> str:
        """Return the title of the setting."""
        return f"Classifier on {self.documents}"

    def fits(self, experiment: Experiment) -> bool:
        """Tell whether an experiment is in this setting: random targets, and a classifier of Enron e-mails."""
        model, embedded = experiment.model, experiment.dataset.part_name()
        if not isinstance(model, DocumentModel) or experiment.defenses or of_owners(experiment):
            return False
        classified = embedded if model.texts is None else model.texts.part_name()
        shared = "same" if model.texts is None or classified == embedded else "other"
        return shared == self.name and classified.startswith("enron")


def of_owners(experiment: Experiment) -> bool:
    """Tell whether targets are documents of one owner each; the paper's are random ones."""
    return isinstance(experiment.game, Membership) and experiment.game.users == "owners"


SETTINGS = (
    Setting(
        "same",
        "the embedding’s own documents",
        2,
        {10: (0.77, 0.0512), 100: (0.84, 0.0235), 1000: (0.91, 0.0178)},
        (0.9518, 0.0212),
        (0.9427, 0.0105),
    ),
    Setting(
        "other",
        "other documents",
        1,
        {10: (0.65, 0.0815), 100: (0.69, 0.0508), 1000: (0.79, 0.0375)},
        (0.9398, 0.0195),
        (0.9334, 0.0108),
    ),
)


@once
def lines(setting: Setting, result: Result | None) -> sizes.Lines:
    """Return our line, if any, and the paper's."""
    printed = [
        (size, share, share - deviation, share + deviation) for size, (share, deviation) in setting.accuracy.items()
    ]
    paper = pd.DataFrame(printed, columns=list(sizes.COLUMNS)), theme.Mark(theme.PAPER, "diamond", "dot")
    if result is None:
        return {_PAPER: paper}
    attack = str(result.experiment["attack"]["part"])
    ours = sizes.of(outcomes(result.tables["curve"], attack), attack)
    return {_OURS: (ours, theme.Mark(theme.MEMBER, "circle")), _PAPER: paper}


@once
def figure(setting: Setting, result: Result | None) -> go.Figure:
    """Draw our accuracy and the paper's by size of the target."""
    return sizes.figure(lines(setting, result), _X, printed=[_PAPER])


@once
def sentence(setting: Setting, result: Result | None) -> str:
    """Read both aloud, and compare them at equal sizes."""
    shares = joined([f"{percent(share)} for {size:,}" for size, (share, _) in setting.accuracy.items()])
    printed = f"Table {setting.table} of the paper: {shares} sentences."
    if result is None:
        return f"{printed} Our result is not computed yet."
    ours = records(lines(setting, result)[_OURS][0])
    if not ours:
        return f"{printed} Our result has no decision."
    accuracies = joined([f"{measured_in(row, 'accuracy')} for {int(row.size):,}" for row in ours])
    shared = [row for row in ours if int(row.size) in setting.accuracy]
    text = f"{printed} Here: {accuracies} documents."
    if not shared:
        return f"{text} They have no size in common."
    less = [row for row in shared if row.high < setting.accuracy[int(row.size)][0]]
    more = [row for row in shared if row.low > setting.accuracy[int(row.size)][0]]
    parts = [
        f"{word} the paper’s value for {joined([f'{int(row.size):,}' for row in rows])}"
        for word, rows in (("below", less), ("above", more))
        if rows
    ]
    if not parts:
        return f"{text} Every interval here includes the paper’s value at that size."
    overlapping = [f"{int(row.size):,}" for row in shared if row not in less and row not in more]
    included = f"; it includes that for {joined(overlapping)}" if overlapping else ""
    text = f"{text} Our interval is {joined(parts)}{included}."
    near = [f"{int(row.size):,}" for row in (*less, *more) if _reaches(setting.accuracy[int(row.size)], row)]
    return f"{text} The paper’s ± overlaps it for {joined(near)}." if near else text


def _reaches(printed: tuple[float, float], row: Any) -> bool:
    """Tell whether the paper's value with its deviation overlaps our interval."""
    share, deviation = printed
    return bool(share - deviation <= row.high and row.low <= share + deviation)


@once
def quality(results: Mapping[str, Result | None]) -> pd.DataFrame:
    """Return Table 3 with ours: accuracy of the classifier on new and on training documents, by setting."""
    rows = []
    for setting in SETTINGS:
        result = results.get(setting.name)
        estimates = {} if result is None else result.estimates
        for tested, (share, deviation) in (("new documents", setting.test), ("its training documents", setting.train)):
            estimate = estimates.get("classifier_test" if tested == "new documents" else "classifier_train")
            rows.append(
                {
                    "setting": setting.title,
                    "documents": tested,
                    "here": _ours(estimate),
                    "the paper": f"{100 * share:.1f}% ± {100 * deviation:.1f}",
                    "chance": "" if estimate is None or estimate.chance is None else percent(estimate.chance),
                }
            )
    return pd.DataFrame(rows)


@once
def quality_sentence(results: Mapping[str, Result | None]) -> str:
    """Read Table 3 aloud."""
    accuracies = []
    for setting in SETTINGS:
        result = results.get(setting.name)
        test = None if result is None else result.estimates.get("classifier_test")
        if test is not None:
            share = measured_in(test)
            accuracies.append(f"{share} when trained on {setting.documents} (the paper: {percent(setting.test[0])})")
    if not accuracies:
        return "None of our results is computed yet."
    return f"The accuracy of the classifier on new documents is {joined(accuracies)}."


def _ours(estimate: Estimate | None) -> str:
    return "not computed yet" if estimate is None else measured_in(estimate)
