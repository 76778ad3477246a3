"""The evidence of a report as plain values: what was run, what it found, what it could have seen, its provenance."""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.audits import worded
from core.audits.asked_about import AskedAbout, near_copies
from core.audits.exposed_owners import ONE_SCORE
from core.catalog import stored
from core.drawings import former_files
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.games.stored_vectors import UNCHECKED
from core.report import audited, corrected, defended, private, sentences, systems, tables
from core.report.declared import Declared
from core.report.finding import finding
from core.result import Estimate, Result, headline
from core.runtime.store import Store
from core.statistics.wording.naming import LENGTHS
from core.statistics.wording.variants import BLIND
from core.text.sensitive import KINDS

SCHEMA = 1
MOST = 8
"""Results in one report: more do not fit the eight printed pages."""
_FIGURES = (
    *("accuracy", "auc", "advantage", "tpr_at_1pct_fpr", "tpr_at_0.1pct_fpr", "group_accuracy", "group_auc"),
    *("found", "false_alarms", "reciprocal_rank", "f1", "precision", "recall", "recall_at_10", "average_precision"),
    *("f1_content", *(f"recall_{kind}" for kind in (*KINDS, *(f"numbers_{length}" for length in LENGTHS)))),
    *("recall_keywords", "exact_match", "bleu", "rouge_l", "cosine"),
    *("lead", "exposure", "epsilon", "epsilon_at_least"),
    *("utility", "retrieval_recall_at_10", "retrieval_ndcg_at_10", "queries"),
)
"""Estimates that a report shows where a result has them; others may be named after a user's own words."""
_ASSUMED = "assumed_settings"
"""The estimate of an audit that says how the hyper-parameters of shadow models are known."""
_BASELINES = ("naive", BLIND, "svm")


def build(
    keys: Iterable[str], store: Store, declared: Declared | None = None, *, texts: bool = False
) -> dict[str, Any]:
    """Gather the evidence of stored results; the same results and declarations give the same values.

    Args:
        keys: Keys of stored results, or names of promised ones.
        store: Holds the results.
        declared: What the user says of the system.
        texts: Whether texts, names and paths that the user brought may enter.

    Raises:
        UnknownPart: There is no such result.
        InvalidSpec: There are none, or too many, or one is of a deliberately broken split.
        StoreError: A result is damaged, or its experiment is not valid any more.
    """
    declared = declared or Declared()
    chosen = list(dict.fromkeys(stored.key_of(key, store) for key in keys))
    if not 1 <= len(chosen) <= MOST:
        raise InvalidSpec(f"A report takes 1 to {MOST} results. Got {len(chosen)} instead.", "key")
    loaded = {key: stored.load(key, store) for key in chosen}
    experiments = {key: experiment for key, (experiment, _) in loaded.items()}
    check_split(experiments)
    unsettled = audited.unsettled(experiments, {key: result for key, (_, result) in loaded.items()})
    others = list(experiments.values())
    results = [_described(key, *loaded[key], store, others, texts=texts, unsettled=key in unsettled) for key in chosen]
    tried = [
        row for key, (experiment, result) in loaded.items() for row in defended.tried(key, experiment, result, store)
    ]
    evidence: dict[str, Any] = plain(
        {
            "schema": SCHEMA,
            "finding": finding(results),
            "conclusive": all(result["conclusive"] is not False for result in results),
            "declared": {name: value or None for name, value in declared.as_dict().items()},
            "withheld": any(result["withheld"] for result in results),
            "systems": systems.described(experiments),
            "results": results,
            "not_run": systems.not_run(experiments.values()),
            "defenses": tried,
            "evidence": sentences.evidence(results, tried, declared.tolerable),
            "limits": list(sentences.LIMITS),
        }
    )
    return evidence


def check_split(experiments: Mapping[str, Experiment]) -> None:
    """Refuse results that are no evidence, since a deliberately broken split chose their members.

    Raises:
        InvalidSpec: One of them is such a result.
    """
    for key, experiment in experiments.items():
        if caveat := experiment.game.caveat():
            raise InvalidSpec(f"The result {key} is no evidence, and no report may hold it. {caveat}", "key")


def _described(
    key: str,
    experiment: Experiment,
    result: Result,
    store: Store,
    others: list[Experiment],
    *,
    texts: bool,
    unsettled: bool,
) -> dict[str, Any]:
    attack, withheld = experiment.attack, private.is_private(experiment) and not texts
    plain_experiment = private.public(experiment) if withheld else experiment.as_dict()
    names = audited.main_figures(result)
    unchecked = unsettled and not audited.leaks(result)
    concludes = False if unchecked else audited.conclusive(result)
    lead = result.estimates.get("lead")
    groups, of = tables.subgroups(key, experiment, result, with_names=not withheld)
    main = [_headline(name, result, lead) for name in names.values()]
    return {
        "key": key,
        "attack": attack.part_name(),
        "title": systems.titled(experiment),
        "attack_title": attack.named,
        "question": worded.question(experiment),
        **systems.played(experiment, others),
        "queried": attack.access().queried,
        "queries": _queries(experiment, result),
        "game": experiment.game.title,
        "dataset": experiment.dataset.title,
        "model": systems.named(experiment.model),
        "defenses": [defense.named for defense in experiment.defenses],
        "settings": systems.settings(experiment, plain_experiment),
        "seed": experiment.seed,
        "conclusive": concludes,
        "hyperparameters": result.estimates[_ASSUMED].help if _ASSUMED in result.estimates else None,
        "unchecked": unchecked,
        "like_its_base": audited.is_its_base(result),
        "headline": main,
        "estimates": [_figure(name, result) for name in _chosen(names.values(), result)],
        "useful": [_figure(name, result) for name in _FIGURES if corrected.is_useful(name, result)],
        "statistics": [
            {
                "statistic": statistic,
                "figures": {key: _figure(name, result) for key, name in row.items()},
            }
            for statistic, row in audited.statistics(result).items()
        ],
        "above": corrected.above_chance(experiment, result, with_names=not withheld),
        "power": [
            *(
                f"{figure['judged']['label']}: {UNCHECKED}"
                if unsettled and not unchecked
                else sentences.power(figure["judged"]["label"], lead or result.estimates[name], conclusive=concludes)
                for name, figure in zip(names.values(), main, strict=True)
            ),
            *([*near_copies(result), *filter(None, [AskedAbout.of(result).drawn_twice])] if concludes else ()),
        ],
        "false_positives": tables.false_positives(experiment, result),
        "worst_decile": tables.worst_decile(result),
        "subgroups": groups,
        "subgroups_of": of,
        "subgroups_note": ONE_SCORE if groups and tables.of_whole_owners(experiment, result) else None,
        "roc": tables.roc(experiment, result),
        "standards": [vars(standard) for standard in experiment.game.standards],
        "provenance": result.provenance.model_dump(),
        "packages": ", ".join(f"{name} {version}" for name, version in sorted(result.provenance.packages.items())),
        "versions": systems.versions(experiment),
        "digests": _digests(key, store, result),
        "experiment": plain_experiment,
        "withheld": withheld,
    }


def _queries(experiment: Experiment, result: Result) -> dict[str, Any] | None:
    """Return how often the adversary asked, and what; of one that queries no encoder, what leaked."""
    asked, leaked = result.estimates.get("queries"), systems.is_stranger(experiment)
    return None if asked is None else asked.model_dump() | ({"help": systems.LEAKED} if leaked else {})


def _chosen(headlines: Iterable[str], result: Result) -> list[str]:
    names = [
        name
        for base in headlines
        for name in (base, *(variant for baseline in _BASELINES for variant in _with_suffix(base, baseline)))
    ]
    chosen = dict.fromkeys((*names, *_FIGURES))
    if len(sized := headline(result.estimates)) == 1 and 0 not in sized:
        del chosen["accuracy"]  # it is that of the only size
    return [name for name in chosen if name in result.estimates]


def _headline(name: str, result: Result, lead: Estimate | None) -> dict[str, Any]:
    """Return a headline figure, that of the blind baseline, and what is compared with chance: its lead, if it has one.

    The lead is that over mismatched answers. Of decisions on membership, chance is at least what one and the same
    answer each time gives: coins seldom fall evenly. The blind baseline asks no model; None where none was played.
    Beside decisions stands the AUC of their scores where its own interval lies above chance.
    """
    figure = _figure(name, result)
    alone = next((text for text in _with_suffix(name, BLIND) if text in result.estimates), None)
    ranking = name.replace("accuracy", "auc", 1) if name.startswith("accuracy") else ""
    area = ranking in result.estimates and result.estimates[ranking].above_chance()
    beside = {
        "alone": None if alone is None else _alone(alone, result),
        "area": _figure(ranking, result) if area else None,
    }
    if lead is None:
        judged = figure | {"chance": sentences.level(figure)}
        return {**figure, **beside, "judged": judged, "by_lead": False}
    judged = _figure("lead", result) | {"label": sentences.lead_of(figure["label"])}
    return {**figure, **beside, "judged": judged, "by_lead": True}


def _alone(name: str, result: Result) -> dict[str, Any]:
    """Return a figure of the adversary that asks no model, and what it reads where that is more than texts."""
    reads = audited.reads(result)
    return _figure(name, result) | ({} if reads == "texts" else {"reads": reads})


def _with_suffix(name: str, suffix: str) -> Iterator[str]:
    """Yield the names that the figure of another adversary can have: ``accuracy_20`` has ``accuracy_model_free_20``."""
    yield f"{name}_{suffix}"
    base, _, size = name.rpartition("_")
    if size.isdigit():
        yield f"{base}_{suffix}_{size}"


def _figure(name: str, result: Result) -> dict[str, Any]:
    estimate = result.estimates[name]
    return {"name": name, "label": audited.labelled(name, result), **estimate.model_dump(), "n": estimate.n}


def _digests(key: str, store: Store, result: Result) -> dict[str, str]:
    files, drawn = store.get_files(key) or {}, former_files(result.experiment)
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files.keys() - drawn)}


def plain(value: Any) -> Any:
    """Return values as JSON holds them: null for what is not finite, lists for tuples."""
    if isinstance(value, Mapping):
        return {str(name): plain(below) for name, below in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
