"""Where a result comes from, in words: when, how long, how many models, on what; and whose data it read."""

from core.datasets import Dataset
from core.experiment import Experiment
from core.result import Provenance
from dashboard.kit.inputs.declared import parameters, parts_of
from dashboard.kit.words import duration, literal


def said(origin: Provenance, key: str) -> str:
    """Return the provenance of the result with a key, as Markdown."""
    lines = {
        "Computed": origin.started.replace("T", " ").removesuffix("+00:00") + " UTC",
        "Wall time": duration(origin.wall_seconds),
        "Models trained": _trained(origin),
        "Cores": str(origin.cores),
        "Peak memory": f"{origin.peak_memory_mb:,.0f} MB",
        "Machine": f"{origin.machine}, Python {origin.python}",
        "Packages": ", ".join(f"{name} {version}" for name, version in sorted(origin.packages.items())),
        "Key": key,
    }
    rows = [f":gray[{label}] {literal(value)}" for label, value in lines.items()]
    return "  \n".join(["**Provenance**", *rows])


def _trained(origin: Provenance) -> str:
    """Say how many models the run trained, and how long; of one that only read stored ones, how long those took."""
    spent = f"{duration(origin.training_seconds)} of training"
    if origin.trainings:
        return f"{origin.trainings:,}, in {spent}"
    return f"none; stored ones that it read took {spent}" if origin.training_seconds else "none"


def credits_of(experiment: Experiment) -> list[str]:
    """Return title, content, licence and source of each dataset that is read, as Markdown; not of one's own."""
    read = (getattr(owner, name) for owner in parts_of(experiment) for name in parameters(type(owner)))
    datasets = [experiment.dataset, *(value for value in read if isinstance(value, Dataset))]
    public = {dataset.part_name(): dataset for dataset in datasets if dataset.card.citation != "none"}
    return [f"**{literal(dataset.title)}**  \n{_credit(dataset)}" for dataset in public.values()]


def _credit(dataset: Dataset) -> str:
    """Return what a dataset holds, its licence and its source, as Markdown."""
    card = dataset.card
    source = f" [{literal(card.homepage.partition('//')[2].rstrip('/'))}]({card.homepage})" if card.homepage else ""
    return f"{literal(card.summary)} Licence: {literal(card.licence)}. Source: {literal(card.citation)}{source}"
