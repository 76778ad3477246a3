"""The tables of recitation: by copies and prefix, by draws, and word by word."""

from core.result import Column, Schema
from core.statistics.intervals import with_interval

_COPIES = Column("int32", "How often the passage stands in the training text; 0 for those never shown.")

SCHEMAS: dict[str, Schema] = {
    "curve": {
        "copies": _COPIES,
        "prefix": Column("int32", "Words, or tokens, of the passage that the adversary knows."),
        "passages": Column("int32", "Passages, each once for each model; common phrases are left out."),
        **with_interval("recited", "Share of passages recited word for word by the greedy continuation.", bare=True),
        "chance": Column("float64", "The same of passages never shown, with this prefix."),
        "words": Column("float64", "Mean share of words recited before the first wrong one."),
        "common": Column("int32", "Common phrases: what is to be recited stands in another document, too."),
        "common_recited": Column("float64", "Share of those that are recited; NaN without any."),
    },
    "discoverable": {
        "copies": _COPIES,
        "draws": Column("int32", "Number of draws n, with the longest prefix."),
        "certainty": Column("float64", "Probability p."),
        "passages": Column("int32", "Passages, each once for each model."),
        **with_interval(
            "share", "Share of passages that n draws give at least once with a probability of p or more.", bare=True
        ),
    },
    "draws": {
        "copies": _COPIES,
        "draws": Column("int32", "Number of draws, with the longest prefix."),
        "passages": Column("int32", "Passages, each once for each model."),
        **with_interval("found", "Share of passages found among the adversary's own draws, on average.", bare=True),
        "expected": Column("float64", "The same by the probability that the model gives to each passage."),
    },
    "passages": {
        "model": Column("int32", "Number of the model."),
        "passage": Column("int32", "Number of the passage."),
        "row": Column("int32", "Row of its document in the dataset."),
        "start": Column("int32", "Number of the passage's first word in its document."),
        "truth": Column("int32", "Number of the first word that is to be recited in its document."),
        "copies": _COPIES,
        "common": Column("bool", "Whether what is to be recited is a common phrase."),
        "prefix": Column("int32", "Words, or tokens, that the adversary knows."),
        "right": Column("str", "For each word to be recited, 1 if the greedy continuation has it there, else 0."),
        "recited": Column("bool", "Whether all of them are right."),
        "log10_rate": Column("float64", "Of the longest prefix, log10 of the share of draws that give the passage."),
        "continuation": Column(
            "str",
            "The greedy continuation, with = for each right word; empty where texts of the dataset are not shown.",
        ),
    },
}
