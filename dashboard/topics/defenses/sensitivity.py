"""The sensitivity that Laplace noise is scaled by, by encoder, with Table IV of Pan et al. 2020."""

from core import catalog
from core.games.fingerprint import Fingerprint
from core.result import Result
from dashboard.kit import chart, panels, stored_results
from dashboard.topics.defenses.figures import sensitivity as charts


def fold() -> None:
    """Fold it away, where a stored result has measured it."""
    if _measured():
        panels.folded("What Laplace noise is scaled by, by encoder", _show, icon=":material/straighten:")


def _show() -> None:
    """Draw it for each encoder, beside the paper's."""
    rows = charts.table(_measured())
    chart.show(charts, rows, "sensitivity")
    panels.note(charts.note(rows))


def _measured() -> tuple[Result, ...]:
    """Return the catalogue's stored results of games that measured it."""
    measuring = (
        entry
        for entry in catalog.entries_of("encoder_fingerprint")
        if isinstance(game := entry.experiment.game, Fingerprint) and game.pairs
    )
    results = (stored_results.readable(entry.key) for entry in measuring)
    return tuple(result for result in results if result is not None)
