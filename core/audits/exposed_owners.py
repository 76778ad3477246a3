"""Which owners an audit of one model exposes most, with an interval each: for whoever runs it, and in no report."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible
from core.experiment import Experiment
from core.games.audit import Audit
from core.result import Column, Result, Schema, table
from core.runtime.seeding import generator
from core.statistics.intervals import RESAMPLES, Interval, mean_of_few, middle, uncertain, with_interval
from core.text.marked import MarkedDocuments

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 5
"""Documents of an owner in question, below which no interval is given."""
ONE_SCORE = (
    "An owner who is asked about as a whole has one score, however many documents: the interval says where it lies "
    "among the owners out, which is off chance for most owners who leak nothing, too."
)
"""What is said of owners who are asked about as a whole."""
SCHEMA: Schema = {
    "owner": Column("str", "Whose documents they are."),
    "documents": Column("int32", "Documents of theirs that are in and in question."),
    "outs": Column("int32", "What is out that they are compared with: owners, or documents."),
    **with_interval("ahead", "How often what is out has a lower score; chance 0.5.", bare=True),
}


def exposed_owners(audit: Experiment, result: Result, documents: MarkedDocuments) -> "pd.DataFrame":
    """Return the owners with at least five documents in question, those first whose interval begins highest.

    Where owners are asked about as a whole, an owner's figure is the share of owners out whose score is lower, with the
    interval of a count of these (Clopper and Pearson). It says where a single score lies, which is off chance for most
    owners who leak nothing, too. Where documents are, it is how often one of the owner's has a
    higher score than one that is out, and its interval resamples both.

    Raises:
        Incompatible: No model is audited, or the documents do not name their owners.
    """
    if not isinstance(audit.game, Audit) or not documents.owners:
        raise Incompatible("Owners are told apart in audits of documents that name them. Set 'owner_column'.")
    scores, targets = result.tables["scores"], result.tables["targets"]
    attack_scores = scores[scores["variant"] == audit.attack.part_name()].set_index("target")["score"]
    member = targets.set_index("target")["member"]
    outside = attack_scores[~member.reindex(attack_scores.index)].to_numpy()
    of_owner: dict[str, list[int]] = {}
    sizes: dict[str, int] = {}
    for target, rows, is_in in zip(targets["target"], targets["documents"], targets["member"], strict=True):
        if is_in:
            owner = documents.owners[int(rows[0])]
            of_owner.setdefault(owner, []).append(int(target))
            sizes[owner] = sizes.get(owner, 0) + len(rows)
    rows_of = [
        {
            "owner": owner,
            "documents": sizes[owner],
            "outs": len(outside),
            **_ahead(attack_scores.loc[numbers].to_numpy(), outside, audit.seed).columns("ahead", bare=True),
        }
        for owner, numbers in of_owner.items()
        if sizes[owner] >= FEWEST
    ]
    frame = table(SCHEMA, rows_of)
    return frame.sort_values(["low", "ahead", "owner"], ascending=[False, False, True]).reset_index(drop=True)


def _ahead(inside: NDArray[np.float64], outside: NDArray[np.float64], seed: int) -> Interval:
    """Return how often a score of one owner exceeds one that is out; ties count half."""
    higher = (inside[:, None] > outside) + (inside[:, None] == outside) / 2  # (documents, outs)
    if len(inside) == 1:
        return mean_of_few(higher[0])
    rng = generator(seed, "owners")
    chosen, others = (rng.integers(count, size=(RESAMPLES, count)) for count in higher.shape)
    drawn = np.array([higher[rows][:, columns].mean() for rows, columns in zip(chosen, others, strict=True)])
    return Interval(float(higher.mean()), *uncertain(*middle(drawn), len(inside)))
