"""Titles of adversaries beside an attack's own answer: its variants, other statistics, and baselines."""

from collections.abc import Mapping
from types import MappingProxyType

BLIND = "model_free"
"""The blind baseline, which asks no model."""
_OF_ALL = {BLIND: "Blind baseline: text alone", "naive": "Naive adversary: unaware of the defense"}
_OF_MEMBERSHIP = {
    "l2_distance": "Word pairs by L2 distance: as in the paper",
    "uncalibrated": "Word pairs without calibration",
    "target_ratio": "Word pairs, calibrated for each target (LiRA)",
    "known_outs": "Word pairs, beside sets known to be out (after RMIA)",
    "behind_defense": "Shadow models behind the defense alone",
    "all_vectors": "Vectors of any words",
    "target_words": "Vectors of the target’s words",
    "other_words": "Random other words appended",
    "calibrated_pairs": "The same pairs, calibrated on auxiliary texts",
    "full_text": "Every word, calibrated on auxiliary texts",
    "all_pairs": "All adjacent word pairs (baseline 1)",
    "uncommon_pairs": "Pairs with an uncommon word (baseline 2)",
    "unseen_pairs": "Pairs not in the auxiliary data",
    "other_pairs": "As many random other pairs",
    "vocabulary": "Which words the model knows, without predictions",
    "likelihood_ratio": "Likelihood ratio",
    "offline_ratio": "Offline likelihood ratio",
    "rmia": "RMIA",
    "loss": "Loss alone",
    "zlib_ratio": "Zlib ratio: loss over the compressed length",
    "lower_ratio": "Lower-case ratio",
    "min_k": "Min-K%: the least likely words",
    "min_k_plus": "Min-K%++: the same, standardised by position",
    "gradient_norm": "Length of the gradient",
    "gradient_ratio": "Length of the gradient beside reference models",
    "dataset_inference": "Dataset inference: a p-value",
    "top_share": "Top share: the mean of the highest scores",
    "reference": "Loss against the base",
    "calibrated": "Calibration on documents known to be out",
    "unexplained": "Min-K% less what the texts’ difficulty explains",
    "similarity_gain": "Similarity against the base",
    "beginning_gain": "Similarity to its beginning, against the base",
    "similarity": "Similarity of neighbouring sentences",
    "beginning": "Similarity of a text to its beginning",
    "deletion": "Similarity to a text with words left out",
    "bleu": "BLEU of the translation",
    "confidence": "Confidence alone",
    "one_round": "The first answers alone",
}
_OF_INFERENCE = {
    "svm": "Linear SVM",
    "mlp": "Perceptron",
    "dann": "DANN",
    "lda": "Linear discriminant",
    "best": "Better of linear discriminant and perceptron",
}
_OF_WORDS = {"frequency": "Chance (the most frequent words)", "random": "Random ranking"}
_OF_CANARIES = {
    "paper": "The paper’s schedule",
    "paper_descent": "The paper’s schedule, then descent",
    "annealed": "Annealed from hot to cold",
    "annealed_descent": "Annealed, then descent",
    "beam": "Beam search",
    "greedy": "Word by word, the likeliest each time",
    "exhaustive": "Lowest loss of all secrets",
    "continuous": "Continuous baseline",
    "random": "Random guess",
}
_OF_EXAMPLES = {
    "likelihood_ratio": "Likelihood ratio",
    "one_threshold": "One threshold",
    "group_thresholds": "A threshold for each group",
    "cosine": "Cosine",
    "inner_output": "Output times input vector",
    "similarity": "Cosine",
    "projection": "Learned similarity",
}
_OF_TRANSLATIONS = {
    "bleu": "BLEU alone",
    "reference": "Probability of the reference",
    "score": "Score of the translation",
    "likelihood_ratio": "Likelihood ratio of the reference",
    "centred_reference": "Calibrated by subcorpus, half in (ours)",
    "calibrated_reference": "Probability of the reference, calibrated by shadow models",
    "perturbed_mean": "BLEU with words left out",
    "quantile_reference": "Quantile regression, no shadow models",
}
_BY_GAME = {
    **dict.fromkeys(("membership", "audit", "answers", "calibrated_audit"), _OF_MEMBERSHIP),
    "example_membership": _OF_EXAMPLES,
    "translation_membership": _OF_TRANSLATIONS,
    "inference": _OF_INFERENCE,
    **dict.fromkeys(("inversion", "reassembly"), _OF_WORDS),
    **dict.fromkeys(("extraction", "secret_sharer"), _OF_CANARIES),
}


def titles(game: str) -> Mapping[str, str]:
    """Return the titles of the adversaries that play a game, by the names that results give them.

    What follows a colon explains; sentences and lists leave it out.
    """
    return MappingProxyType({**_OF_ALL, **_BY_GAME.get(game, {})})
