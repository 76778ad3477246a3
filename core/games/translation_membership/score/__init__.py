"""Scores a membership game about translations: estimates and tables of pairs, of groups and over training."""

from core.games.translation_membership.contract import Method
from core.games.translation_membership.score import course, groups, pairs, translations
from core.games.translation_membership.score.answers import OF_PAIRS, Answers
from core.games.translation_membership.score.course import Course
from core.games.translation_membership.split import SETS
from core.result import Estimate, Schema, Tables, table

SCHEMAS: dict[str, Schema] = {"sets": SETS, **course.SCHEMAS, **pairs.SCHEMAS, **groups.SCHEMAS, **translations.SCHEMAS}


class Scorer:
    """Collects an adversary's answers over training; those added last are the result."""

    def __init__(self) -> None:
        """Start without answers."""
        self.course = Course()

    def add(self, epoch: int, answers: Answers) -> None:
        """Score the answers about target models after some epochs of training."""
        self._answers = answers
        self._qualities = translations.qualities(answers)
        self.course.attacked(epoch, answers, self._qualities)

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the adversary's method, of those that are no classifiers, and BLEU by subcorpus."""
        answers = self._answers
        estimates = _of_method(answers, answers.adversary.answer, "", "")
        for method in answers.methods:
            if method.kind != "classifier":
                name = method.features if method.kind == "threshold" else method.rule
                estimates |= _of_method(answers, method, f"_{name}", f" By {name.replace('_', ' ')}.")
        return estimates | translations.bleu_estimates(answers, self._qualities)

    def tables(self) -> Tables:
        """Return the game's tables."""
        answers = self._answers
        rows = {
            "sets": list(answers.split.sets()),
            **self.course.rows,
            "methods": list(pairs.methods(answers)),
            "classifiers": list(pairs.classifiers(answers)),
            "corpora": list(pairs.corpora(answers)),
            "unknown_words": list(pairs.unknown_words(answers)),
            "roc": list(pairs.roc(answers)),
            "groups": list(groups.groups(answers)),
            "bleu": translations.bleu(answers, self._qualities),
            "shown": list(translations.examples(answers)),
        }
        tables = {name: table(SCHEMAS[name], of_table) for name, of_table in rows.items()}
        return tables | {"scores": table(SCHEMAS["scores"], pairs.scores(answers))}


def _of_method(answers: Answers, method: Method, suffix: str, remark: str) -> dict[str, Estimate]:
    of_pairs = answers.decisions(method).estimates(answers.figures[method], OF_PAIRS, suffix, remark)
    return of_pairs | groups.group_estimates(answers, method, suffix, remark)
