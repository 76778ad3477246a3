"""Tables 1 to 3 of Mahloujifar et al. 2021, on membership through a classifier, and how ours stand beside them."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Estimate, Result
from core.targets.document_model import DocumentModel
from dashboard.charts import sizes, theme
from dashboard.charts.headline import outcomes
from dashboard.charts.tables import records
from dashboard.charts.wording import joined, measured, percent

SAYS = (
    "The paper’s targets are counted in sentences, ours in documents, each an e-mail of many sentences. Its ± is as "
    "printed, without a word on what it is of. Its e-mails of other people, Avocado, are not public."
)
"""What has to be known before its figures and ours are compared."""

_PAPER, _OURS = "The paper", "Here"
_X = "Documents of a target (the paper: sentences)"


@dataclass(frozen=True)
class Setting:
    """One setting of the paper's section 4.2.

    Attributes:
        name: How tests and widgets call it.
        documents: What the classifier is trained on.
        table: Number of its table of accuracies.
        accuracy: Size of a target to accuracy and what is printed after ±, both as shares.
        train: The classifier's accuracy on its training documents and what is printed after ±, in Table 3.
        test: The same on others.
    """

    name: str
    documents: str
    table: int
    accuracy: Mapping[int, tuple[float, float]]
    train: tuple[float, float]
    test: tuple[float, float]

    @property
    def title(self) -> str:
        """Return what the setting is called."""
        return f"Classifier on {self.documents}"

    def fits(self, experiment: Experiment) -> bool:
        """Tell whether an experiment is played in this setting, its classifier being one of Enron e-mails."""
        model, embedded = experiment.model, experiment.dataset.part_name()
        if not isinstance(model, DocumentModel) or experiment.defenses:
            return False
        classified = embedded if model.texts is None else model.texts.part_name()
        shared = "same" if model.texts is None or classified == embedded else "other"
        return shared == self.name and classified.startswith("enron")


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


def lines(setting: Setting, result: Result | None) -> sizes.Lines:
    """Return our line, where there is one, and the paper's."""
    drawn = {}
    if result is not None:
        attack = str(result.experiment["attack"]["part"])
        own = sizes.of(outcomes(result.tables["curve"], attack), attack)
        drawn[_OURS] = (own, theme.Mark(theme.MEMBER, "circle", "solid"))
    printed = [
        {"size": size, "accuracy": share, "low": share - off, "high": share + off}
        for size, (share, off) in setting.accuracy.items()
    ]
    drawn[_PAPER] = (pd.DataFrame(printed, columns=list(sizes.COLUMNS)), theme.Mark(theme.PAPER, "diamond", "dot"))
    return drawn


def figure(setting: Setting, result: Result | None) -> go.Figure:
    """Draw our accuracy against the size of a target beside the paper's."""
    return sizes.figure(lines(setting, result), _X, printed=[_PAPER])


def sentence(setting: Setting, result: Result | None) -> str:
    """Read both aloud, size by size where they share sizes."""
    printed = f"Table {setting.table} of the paper: {_said(setting.accuracy)} sentences."
    if result is None:
        return f"{printed} Ours is not computed here yet."
    own = records(lines(setting, result)[_OURS][0])
    if not own:
        return f"{printed} Ours holds no decision."
    said = joined([f"{measured(row.accuracy, row.low, row.high)} for {int(row.size):,}" for row in own])
    shared = [row for row in own if int(row.size) in setting.accuracy]
    text = f"{printed} Here: {said} documents."
    if not shared:
        return f"{text} The two share no size."
    less = [row for row in shared if row.high < setting.accuracy[int(row.size)][0]]
    more = [row for row in shared if row.low > setting.accuracy[int(row.size)][0]]
    parts = [
        f"{word} the paper’s for {joined([f'{int(row.size):,}' for row in rows])}"
        for word, rows in (("below", less), ("above", more))
        if rows
    ]
    if not parts:
        return f"{text} Every interval here holds the paper’s value of that number."
    rest = [f"{int(row.size):,}" for row in shared if row not in less and row not in more]
    held = f"; it holds that of {joined(rest)}" if rest else ""
    return f"{text} Our interval lies {joined(parts)}{held}."


def quality(results: Mapping[str, Result | None]) -> pd.DataFrame:
    """Return Table 3 with ours beside it: the classifier's accuracy on new documents and on its training documents.

    Args:
        results: Name of each setting to our result, or None.
    """
    rows = []
    for setting in SETTINGS:
        result = results.get(setting.name)
        own = {} if result is None else result.estimates
        for tested, (share, off) in (("new documents", setting.test), ("its training documents", setting.train)):
            found = own.get("classifier_test" if tested == "new documents" else "classifier_train")
            rows.append(
                {
                    "setting": setting.title,
                    "asked about": tested,
                    "here": _ours(found),
                    "the paper": f"{100 * share:.1f}% ± {100 * off:.1f}",
                    "commoner class": "" if found is None or found.chance is None else percent(found.chance),
                }
            )
    return pd.DataFrame(rows)


def quality_sentence(results: Mapping[str, Result | None]) -> str:
    """Read Table 3 aloud."""
    said = []
    for setting in SETTINGS:
        result = results.get(setting.name)
        test = None if result is None else result.estimates.get("classifier_test")
        if test is not None:
            share = measured(test.value, test.low, test.high)
            said.append(f"{share} when taught {setting.documents} (the paper: {percent(setting.test[0])})")
    if not said:
        return "Nothing of ours is computed here yet."
    return f"Of new documents the classifier itself gets right {joined(said)}."


def _said(printed: Mapping[int, tuple[float, float]]) -> str:
    return joined([f"{percent(share)} for {size:,}" for size, (share, _) in printed.items()])


def _ours(found: Estimate | None) -> str:
    return "not computed here yet" if found is None else measured(found.value, found.low, found.high)
