"""The columns of the tables of inference."""

from core.result import Column, Schema
from core.statistics.intervals import with_interval

SCHEMAS: dict[str, Schema] = {
    "inferred": {
        "variant": Column("str", "The attack, or a baseline."),
        "adversary": Column("str", "'adaptive' knows the defenses, 'naive' does not; both mean the same without any."),
        "secret": Column(
            "str", "What is asked; 'all' for the mean, 'whole' for several secrets of one victim at once."
        ),
        "values": Column("int64", "Number of possible answers; 0 for the mean."),
        "victims": Column("int32", "Number of victims asked about."),
        "chance": Column("float64", "Accuracy of naming the most frequent answer."),
        **with_interval("accuracy", "Share of victims whose answer was named.", "the accuracy's", bare=True),
        "top5_chance": Column(
            "float64", "The same chance for five guesses; NaN where there are five answers or fewer."
        ),
        **with_interval("top5", "Share of victims whose answer was among the five likeliest."),
    },
    "curve": {
        "variant": Column("str", "The attack, or a baseline."),
        "adversary": Column("str", "'adaptive' or 'naive', as in the table of what was inferred."),
        "secret": Column("str", "What is asked; 'all' for the mean over all secrets."),
        "epochs": Column("int32", "Epochs trained so far; 0 where there are none."),
        **with_interval("accuracy", "Share of victims whose answer was named.", "the", bare=True),
        "chance": Column("float64", "Accuracy of naming the most frequent answer."),
    },
    "guesses": {
        "victim": Column("int32", "Number of the victim."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "secret": Column("str", "What is asked."),
        "truth": Column("str", "The true answer."),
        "guess": Column("str", "What the adversary named."),
        "probability": Column("float32", "How likely the adversary thought its guess."),
        "truth_probability": Column("float32", "How likely it thought the truth."),
        "rank": Column("int32", "Place of the truth among all answers, 1 for the likeliest."),
    },
}
