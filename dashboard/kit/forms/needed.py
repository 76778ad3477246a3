"""What an experiment lacks on this machine, stated before its run, beside the demo, which lacks nothing."""

from collections.abc import Iterable

import streamlit as st

from core import catalog
from core.corpora.documents import LargeDocuments
from core.datasets import Dataset
from core.encoders.records import RECORDS
from core.errors import TelltaleError
from core.experiment import Experiment
from core.fitting import is_checked
from core.jobs import durations
from core.jobs.durations import Duration
from core.jobs.needs import Need, needs
from core.models.encoder import Encoder
from core.registry import Part
from core.result import Provenance
from core.runtime.store import Store
from core.text.contents import Documents
from core.text.volume import Volume, volume
from dashboard.kit import links, stored_results, visitors
from dashboard.kit.texts.remembered import remembered
from dashboard.kit.words import duration, file_size, literal

DEMO = "Do this with the demo data"
_WAITED = 0.2
"""A run that waited for cores less than this share of its own time is not said to have waited."""
_UNKNOWN = "How long this takes is not known yet."
MARKED = "An arrow marks what a run first downloads, with its size."


def show(experiment: Experiment) -> bool:
    """Say what a run would first download, offer the demo, and return whether the experiment can run."""
    lacking = needs(experiment)
    obstacles = [need for need in lacking if need.obstacle]
    if obstacles:
        text = "; ".join(f"{need.title}: {need.obstacle}" for need in obstacles)
        st.warning(literal(f"This cannot run on this machine. {text}"), icon=":material/cloud_off:")
    elif lacking:
        text = f"Run first downloads {listed(lacking)}, which this machine does not have yet."
        st.info(literal(text), icon=":material/cloud_download:")
    if lacking:
        demo(experiment)
    return not obstacles


def tell_duration(*experiments: Experiment, unlike: str = "", announced: bool = False) -> None:
    """Say how long the runs will probably take that a button starts, one after another where there are several.

    Args:
        experiments: What the button starts.
        unlike: What it would have of its own, where that is not its seed or its words: “another secret”.
        announced: Whether the page has given a duration already: then nothing is said where none is known here.
    """
    if len(experiments) == 1:
        sentence = takes(experiments[0], unlike)
        if not (announced and sentence == _UNKNOWN):
            st.caption(sentence, width="content")
        return
    seconds = [expected_seconds(experiment) for experiment in experiments]
    known = None if None in seconds else Duration(sum(filter(None, seconds)))
    if known is not None:
        st.caption(f"They take {_about(known)} together.")
    elif not announced:
        st.caption("How long these take is not known yet.")


def takes(experiment: Experiment, unlike: str = "") -> str:
    """Return as a sentence how long a run will probably take, and what that is judged by; see `tell_duration`."""
    settings = ((experiment, unlike or "another seed"), (durations.untyped(experiment), unlike or "other words"))
    for other, setting in settings:
        if (known := durations.here(other, Store())) is not None:
            return _took_here(known, setting)
    for other, setting in settings:
        if (origin := before(other)) is not None:
            cores = f"{origin.cores} core{'s' * (origin.cores != 1)}"
            return f"With {setting} this took about {duration(_seconds(origin))} on {cores}, where it was computed."
    expected = durations.expected(experiment, Store(), _volume_of, seconds_before)
    if expected is None and needs(experiment):
        return "How long this takes after the download is not known yet."
    return duration_text(expected)


def _took_here(known: Duration, unlike: str) -> str:
    """Return as a sentence what the latest run of the same settings took on this machine.

    >>> _took_here(Duration(32.0, waited=60.0), "another seed")
    'With another seed this took about 1 min 32 s here, of which it waited about 1 min 0 s for cores that others used.'
    """
    took = f"With {unlike} this took about {duration(known.seconds + known.waited)} here"
    if known.waited < max(_WAITED * known.seconds, 1.0):
        return f"{took}."
    return f"{took}, of which it waited about {duration(known.waited)} for cores that others used."


def duration_text(expected: Duration | None) -> str:
    """Return as a sentence how long a run will probably take, and what that is judged by.

    >>> duration_text(Duration(250, 2.6)), duration_text(None)
    ('Takes about 4 min here, judged by the demo: this is 2.6 times the work.', 'How long this takes is not known yet.')
    """
    if expected is None:
        return _UNKNOWN
    about = f"Takes {_about(expected)} here"
    if (work := expected.work) is None:
        return f"{about}, as with another seed or other words."
    compared = "less work" if work < 0.9 else "as much work" if work < 1.2 else f"{work:.2g} times the work"
    return f"{about}, judged by the demo: this is {compared}."


def _about(expected: Duration) -> str:
    step = 60 if expected.seconds >= 90 else 5
    return f"about {duration(step * max(round(expected.seconds / step), 1)).removesuffix(' 0 s')}"


def _volume_of(dataset: Dataset) -> Volume | None:
    """Return how much text a dataset holds if it is quick to read: a user's own, or one that comes with the code."""
    if not is_checked(dataset) and not dataset.card.offline:
        return None
    return _volume(dataset, dataset.key)


@remembered("Counting words")
def _volume(_dataset: Dataset, key: str) -> Volume | None:
    contents = _dataset.load()
    is_small = isinstance(contents, Documents) and not isinstance(contents, LargeDocuments)
    return volume(contents.texts) if is_small else None


def expected_seconds(experiment: Experiment) -> float | None:
    """Return how long a run will probably take, here or where the same was computed with another seed, or None."""
    expected = durations.expected(experiment, Store(), _volume_of, seconds_before)
    if expected is not None and expected.work is None:
        return expected.seconds
    before_seconds = seconds_before(experiment)
    return before_seconds if before_seconds is not None or expected is None else expected.seconds


def refusal(experiment: Experiment) -> str:
    """Return why a visitor in a room may not start a run, since it takes long; empty where they may."""
    minutes = visitors.current().longest_run()
    if minutes is None:
        return ""
    seconds = expected_seconds(experiment)
    if seconds is not None and seconds <= 60 * minutes:
        return ""
    takes = "how long this one takes is not known" if seconds is None else f"this one takes about {duration(seconds)}"
    return f"In your room a run may take {minutes} min, and {takes}. Choose smaller settings, or ask who leads it."


def seconds_before(experiment: Experiment) -> float | None:
    """Return how long the same experiment took with another seed or other words, where it was computed, or None."""
    origin = before(experiment) or before(durations.untyped(experiment))
    return None if origin is None else _seconds(origin)


def _seconds(origin: Provenance) -> float:
    # The wall time leaves out what an interrupted run had finished before.
    return max(origin.wall_seconds, origin.training_seconds / origin.cores)


def demo(experiment: Experiment) -> None:
    """Offer the attack's small experiment on data that come with the code."""
    attack = experiment.attack.part_name()
    if "demo" in experiment.attack.presets:
        links.page_link(Experiment.preset(attack, "demo"), DEMO, ":material/science:")


def before(experiment: Experiment) -> Provenance | None:
    """Return the provenance of a stored result of the same experiment with another seed, or None."""
    for entry in catalog.with_any_seed(experiment):
        try:
            result = stored_results.load(entry.key)
        except TelltaleError:
            continue
        if result is not None and result.provenance.wall_seconds > 0:
            return result.provenance
    return None


def listed(lacking: Iterable[Need]) -> str:
    """Return what is missing with its size, as one text.

    >>> listed([Need("ATIS flight questions", 995_272), Need("BERT large, uncased")])
    'ATIS flight questions (995 KB) and BERT large, uncased (of unknown size)'
    """
    items = [f"{need.title} ({'of unknown size' if need.size is None else file_size(need.size)})" for need in lacking]
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def marker(lacking: Iterable[Need]) -> str:
    """Return the mark behind a choice that this machine lacks, or an empty text.

    >>> marker([Need("ATIS flight questions", 995_272)]), marker([])
    (' ↓ 995 KB', '')
    """
    lacking = tuple(lacking)
    if any(need.obstacle for need in lacking):
        return " (not here)"
    return f" ↓ {size(lacking)}".rstrip() if lacking else ""


def behind(cls: type[Part] | None) -> str:
    """Return the mark behind a dataset that is not on this machine, or an empty text."""
    return marker(needs(cls())) if cls is not None and issubclass(cls, Dataset) else ""


def encoder_title(source: str, bundled: Iterable[tuple[str, str]] = ()) -> str:
    """Return the title of an encoder, or its folder, and the mark of what a run first downloads.

    Args:
        source: Name of the encoder, or its folder.
        bundled: Name and title of each that comes with the code.
    """
    if title := dict(bundled).get(source):
        return title
    record = RECORDS.get(source)
    return f"{record.title if record else source}{marker(needs(Encoder(source=source)))}"


def size(lacking: Iterable[Need]) -> str:
    """Return the size of what is missing, or an empty text where it is not known."""
    sizes = [need.size for need in lacking if need.size is not None]
    return file_size(sum(sizes)) if sizes else ""
