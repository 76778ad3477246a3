"""Terms of the field, each explained in a sentence or two in every text, label or column of a page that has it."""

import re
from collections.abc import Mapping

TERMS: Mapping[str, str] = {
    "AUC": "How well scores tell members from non-members: the probability that a random member scores higher than a "
    "random non-member. 0.5 is chance, 1 is perfect.",
    "ROC": "Curve of true positives against false positives, over all thresholds. The diagonal is chance.",
    "TPR": "True-positive rate: the share of members that the attack finds, at the stated rate of false positives.",
    "FPR": "False-positive rate: the share of non-members that the attack takes for members.",
    "advantage": "True-positive rate minus false-positive rate. 0 is chance, 1 is perfect.",
    "F1": "One figure for precision (how many of the named are right) and recall (how many of the right are named): "
    "their harmonic mean. 1 is perfect.",
    "shadow model": "A model that the adversary trains itself, on data that it knows, to learn how the target model "
    "behaves with and without some text.",
    "blind baseline": "A prediction of what was in the training data from all that is known of the texts, without the "
    "model. Where it is above chance, the split itself gives members away.",
    "canary": "A made-up secret that is planted in the training data, to measure whether it can be read out again.",
    "exposure": "How far the model prefers the true secret to others: log2 of the number of possible secrets over its "
    "rank. A bit more halves the rank; chance is about 1.4 bits.",
    "HDT": "Hamming distance per token: the share of a secret’s unknown words that the attack gets wrong. 0% is "
    "the whole secret; chance is close to 100%.",
    "epsilon": "Bound on the influence of one document or text in differential privacy. Smaller hides more; none is no "
    "bound.",
    "perplexity": "The effective number of candidates for the next word. Lower is better.",
    "BLEU": "How much a text has in common with the right one, or a translation with that of a human: words, and up to "
    "four in a row. From 0 to 1, or to 100.",
    "ROUGE-L": "How much of a text is there in the right order, with gaps, from 0 to 1.",
    "p-value": "How often chance alone gives a result as extreme as this one. Below a level of 5% chance is rejected, "
    "wrongly in 5% of the cases where nothing else is at work.",
    "LASSO": "A regression that keeps few inputs: a penalty sets the weight of all others to zero.",
    "black box": "The adversary only queries the model. The paper of keyword inference alone uses the words otherwise: "
    "its adversary has no texts of the victims’ kind.",
    "white box": "The adversary has the model with its weights. The paper of keyword inference alone uses the words "
    "otherwise: its adversary has texts of the victims’ kind.",
}
"""Each term with its meaning."""

_FORMS = {"shadow model": "shadow (?:model|encoder|translator)s?", "canary": "canar(?:y|ies)", "p-value": "p-values?"}
_PATTERNS = {
    term: re.compile(rf"(?<!\w){_FORMS.get(term, term)}(?!\w)", 0 if term.isupper() else re.IGNORECASE)
    for term in TERMS
}


def terms_in(text: str) -> list[str]:
    """Return the terms in a text.

    >>> terms_in("AUC of shadow encoders, Exposure"), terms_in("Auckland, f10")
    (['AUC', 'shadow model', 'exposure'], [])
    """
    return [term for term, pattern in _PATTERNS.items() if pattern.search(text)]


def explained(text: str, help_text: str | None = None) -> str | None:
    """Return the help of an element: its own, and the terms in its text explained; None where there is neither.

    Args:
        text: What the element shows.
        help_text: Its own help, as Markdown.
    """
    lines = [f"**{term[:1].upper()}{term[1:]}**: {TERMS[term]}" for term in terms_in(text)]
    return "\n\n".join([*([help_text] if help_text else []), *lines]) or None
