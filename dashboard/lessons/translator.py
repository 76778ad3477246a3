"""Did the translator learn from my sentence? When it leaks, to whom, and for how many sentences."""

from dashboard.topics.lessons.lesson import Above, AboveChance, AtChance, Choice, Lesson, Measured, Number, Point, Step

_EPOCHS = {
    "one epoch": Measured("translations_one_pass"),
    "three epochs": Measured("translations_three_passes"),
    "twenty epochs": Measured("translations_over_trained"),
}
_SINGLE, _GROUP = Measured("translations_over_trained"), Measured("translations_over_trained", "group_accuracy")
_SCORES = {
    "words in common with the reference": Measured("translations_over_trained", "accuracy_bleu"),
    "how sure the translator is of its own words": Measured("translations_over_trained", "accuracy_score"),
    "how likely it finds the reference": Measured("translations_over_trained", "accuracy_reference"),
    "the same, within its collection, half of it in": Measured(
        "translations_over_trained", "accuracy_centred_reference"
    ),
}
_COMMON, _SURE, _LIKELY, _WITHIN = _SCORES.values()
_RIGHT = "Decisions on single pairs that are right, in percent"
_ONE_EPOCH_GROUP = Measured("translations_one_pass", "group_accuracy_centred_reference")
_CALIBRATED = Measured("translations_over_trained", "accuracy_calibrated_reference")
_CALIBRATED_GROUP = Measured("translations_one_pass", "group_accuracy_calibrated_reference")

LESSON = Lesson(
    title="Did the translator learn from my sentence?",
    question="A translation service gives back translations, and how sure it is. "
    "Do they tell which sentences it learnt from?",
    order=4,
    minutes=25,
    source="Hisamoto, Post and Duh (2020), Membership Inference Attacks on Sequence-to-Sequence Models.",
    story="Alice trains a translator from German to English. Bob holds sentences with their translations by a human, "
    "and suspects that Alice took some of them. He trains shadow models, shadow translators of his own, to learn how "
    "a translator treats the pairs that it knows. In the paper, attacks on single pairs stayed at chance. You find out "
    "when that holds.",
    steps=(
        Step(
            title="How often it was read",
            situation="The more pairs there are, the fewer epochs they are trained for. You see a translator that "
            "read each of many pairs once, and one that read fewer of them three times. The last one read fewer "
            "still, twenty times each. Bob decides about single pairs from the translation and how sure the "
            "translator is of it.",
            prediction=Point(
                "How often is Bob right about a translator of twenty epochs?",
                "Training of the translator",
                _EPOCHS,
                tick="twenty epochs",
            ),
            why="A pair that is read once moves the translator as little as any other. Read again and again, it is "
            "learnt by heart, and its translation comes out in the words of the reference.",
            misconception="Whether a model leaks is a matter of its kind.",
            truth="The same kind of model, read once: {translations_one_pass:accuracy}; read twenty times: "
            "{translations_over_trained:accuracy}. How it is trained decides.",
            further=("translations_over_trained", "the translator of twenty epochs"),
            claims=(AtChance(_EPOCHS["one epoch"]), Above(_EPOCHS["twenty epochs"], _EPOCHS["three epochs"])),
        ),
        Step(
            title="Thirty sentences at once",
            situation="Bob rarely cares about one sentence. Suppose that thirty pairs belong together, all in or all "
            "out, and that he decides by the mean of their scores. The translator is the one of twenty epochs, where "
            "he is right about single pairs in {translations_over_trained:accuracy}.",
            prediction=Number("How often is Bob right about a group of thirty pairs?", _GROUP, "Accuracy"),
            why="Each score says a little more than a coin, and errors cancel in the mean where they are "
            "independent. They are not quite: what Bob gets wrong about one collection of texts, he gets wrong about "
            "much of it. So the mean of thirty helps less than thirty fair witnesses would.",
            misconception="If attacks hardly work on single sentences, a whole collection is safe.",
            truth="Weak evidence adds up: single pairs {translations_over_trained:accuracy}, groups "
            "{translations_over_trained:group_accuracy}.",
            further=("translations_over_trained", "decisions about groups"),
            claims=(Above(_GROUP, _SINGLE),),
        ),
        Step(
            title="What to look at",
            situation="Bob may also ask that translator how likely it finds the human reference. Four adversaries "
            "look at one thing each; the last also knows each pair’s collection, and that half of it is in.",
            prediction=Choice("What is right about most single pairs?", _SCORES, _RIGHT),
            why="The reference is what was learnt by heart, so its probability rises; how sure the translator is of "
            "its own words says little about that. Some collections are easier than others, whether in or out. "
            "Comparing a pair with others of its collection removes that difference, for who knows the collections and "
            "that half of each is in.",
            misconception="Only the answers count; a confidence beside them does no harm.",
            truth="Words in common: {translations_over_trained:accuracy_bleu}. Probability of the reference, "
            "compared within the collection: {translations_over_trained:accuracy_centred_reference}; compared with "
            "shadow models, without knowing collections: {translations_over_trained:accuracy_calibrated_reference}.",
            further=("translations_over_trained", "all adversaries side by side"),
            claims=(
                Above(_WITHIN, _CALIBRATED),
                Above(_WITHIN, _LIKELY),
                Above(_LIKELY, _COMMON),
                Above(_COMMON, _SURE),
            ),
        ),
        Step(
            title="Back to the careful translator",
            situation="Take the translator that read every pair once. From single translations, and how sure the "
            "translator is of them, Bob is right in {translations_one_pass:accuracy}. Now give him more: the "
            "probability of any translation, groups of thirty pairs, and the knowledge of each pair’s collection, and "
            "that half of it is in.",
            prediction=Number(
                "How often is Bob right about a group of pairs of the careful translator?", _ONE_EPOCH_GROUP, "Accuracy"
            ),
            why="One reading leaves a trace too small to be seen in one pair. With a sharper look and thirty pairs "
            "it rises above the noise.",
            misconception="An attack at chance proves that nothing leaks.",
            truth="It proves that this attack finds nothing. On the very same translator, the one that knows the "
            "collections, and that half of each is in, reaches "
            "{translations_one_pass:group_accuracy_centred_reference}. One that knows neither, by shadow models alone, "
            "reaches "
            "{translations_one_pass:group_accuracy_calibrated_reference}.",
            further=("translations_one_pass", "the translator that read each pair once"),
            claims=(
                Above(_ONE_EPOCH_GROUP, _CALIBRATED_GROUP),
                AboveChance(_CALIBRATED_GROUP),
                AtChance(_EPOCHS["one epoch"]),
            ),
        ),
    ),
    takeaway="Whether a translator leaks depends on how often it read a pair, on what an adversary may ask, and on "
    "how many sentences are judged together. A result at chance holds for one attack on one model, and for no more.",
    terms=("shadow model",),
)
