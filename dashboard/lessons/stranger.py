"""What does an encoder tell a stranger? Birth dates and illnesses, read from embeddings."""

from dashboard.topics.lessons.lesson import Above, AboveChance, Choice, Lesson, Measured, Number, Step

_BIRTH = Measured("citizens_minilm", "accuracy_whole")
_ENCODERS = {
    "trained on text": Measured("citizens_small_bert", "accuracy_whole"),
    "never trained, random weights": Measured("citizens_untrained_bert", "accuracy_whole"),
}
_TRAINED, _RANDOM = _ENCODERS.values()
_READ = "Dates read whole, in percent"
_STRANGER = Measured("keywords_mtsamples_black_box")
_INSIDER = Measured("keywords_mtsamples_white_box")
_FINGERPRINT = Measured("fingerprint_encoders")

LESSON = Lesson(
    title="What does an encoder tell a stranger?",
    question="A service stores embeddings of personal texts. What can somebody read who has none of these texts?",
    order=5,
    minutes=25,
    source="Pan, Zhang, Ji and Yang (2020), Privacy Risks of General-Purpose Language Models.",
    story="The encoder is public; the texts are not. A stranger gets hold of stored embeddings: of citizen numbers, "
    "and of notes about patients. The stranger was never shown a text of these people, but can make up texts of the "
    "same kind, embed them with the public encoder, and learn from that.",
    steps=(
        Step(
            title="A date of birth",
            situation="The texts are citizen numbers of eighteen digits, made up by the official rule; eight of them "
            "are the date of birth. The adversary makes up {citizens_minilm@attack.samples} others, embeds them, and "
            "trains networks that read year, month and day. Then it gets the embeddings of "
            "{citizens_minilm@game.victims} people. The encoder is MiniLM.",
            prediction=Number(
                "For what share of people does the adversary read the whole date of birth?", _BIRTH, "Whole dates"
            ),
            why="An encoder for language keeps digits well enough that a small network finds them again. Everybody "
            "can make up the training data for it, since the rule is public.",
            misconception="An attack needs some of the secret data to learn from.",
            truth="The format is enough: from MiniLM, {citizens_minilm:accuracy_whole} of the dates are read whole.",
            further=("citizens_minilm", "year, month and day, victim by victim"),
            claims=(AboveChance(_BIRTH),),
        ),
        Step(
            title="An encoder that learnt nothing",
            situation="Now two other encoders, small ones of the build of BERT. One was trained on text. The other was "
            "never trained: its weights are random. The same attack reads the whole date from both. Neither is the "
            "MiniLM of the step before: compare the two with each other.",
            prediction=Choice("From which encoder does the adversary read more dates?", _ENCODERS, _READ),
            why="Random weights mix what goes in, and can pass the digits on as well as others. Training teaches an "
            "encoder what matters for meaning; a single digit seldom does. The order differs from build to build: in "
            "another one, XLNet, it is {citizens_small_xlnet:accuracy_whole} trained and "
            "{citizens_untrained_xlnet:accuracy_whole} never trained.",
            misconception="An encoder leaks because it memorised its training data.",
            truth="Nothing here was in anybody’s training data. The text that is embedded leaks: trained "
            "{citizens_small_bert:accuracy_whole}, never trained {citizens_untrained_bert:accuracy_whole}.",
            further=("citizens_untrained_bert", "the encoder with random weights"),
            claims=(Above(_RANDOM, _TRAINED),),
        ),
        Step(
            title="An illness, learnt from restaurants",
            situation="Short descriptions of medical cases, as embeddings. Is there a knee in it, or a heart? An "
            "insider with texts of the same kind is right in {keywords_mtsamples_white_box:accuracy}. The stranger "
            "has none. It takes public reviews of restaurants, puts the words in question into them, and learns from "
            "that.",
            prediction=Number("How often is the stranger right about a word of a medical case?", _STRANGER, "Accuracy"),
            why="A word leaves its mark on an embedding much in the same way, whatever the text is about. So its "
            "mark can be learnt from other texts.",
            misconception="Our texts are so special that nobody can learn an attack elsewhere.",
            truth="The stranger is right in {keywords_mtsamples_black_box:accuracy}, with reviews of restaurants.",
            further=("keywords_mtsamples_black_box", "each keyword by itself"),
            claims=(AboveChance(_STRANGER), Above(_INSIDER, _STRANGER)),
        ),
        Step(
            title="Which encoder was it?",
            situation="So far the stranger knew the encoder. Suppose that it does not: there are nine candidates, "
            "and it sees one embedding. It has embedded other texts with all nine.",
            prediction=Number("How often does the stranger name the right encoder?", _FINGERPRINT, "Accuracy"),
            why="The length of the embedding leaves only some of them. Among those, each encoder favours its own "
            "directions in the space, whatever the text.",
            misconception="It is safe to keep the name of the encoder secret.",
            truth="The embedding tells it: {fingerprint_encoders:accuracy}, where chance is one in nine.",
            further=("fingerprint_encoders", "which encoders are confused"),
            claims=(AboveChance(_FINGERPRINT),),
        ),
    ),
    takeaway="Nobody needs your data to read your embeddings. A public encoder, a known format or any other text is "
    "enough, and hiding the encoder’s name does not help. What leaks is the text that was embedded, whatever the "
    "encoder was trained on.",
)
