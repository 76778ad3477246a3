"""Was it the model, or the split? A deliberately broken evaluation beside an honest one, on the same messages."""

from dashboard.topics.lessons.lesson import Above, AboveChance, Alike, AtChance, Choice, Lesson, Measured, Number, Step

_BROKEN, _DRAWN = "loss_membership_broken_split", "loss_membership_random_split"
_LOSS_BROKEN = Measured(_BROKEN, "auc_loss")
_TEXT_BROKEN = Measured(_BROKEN, "auc_model_free")
_REFERENCE_BROKEN = Measured(_BROKEN, "auc")
_TEXT_DRAWN = Measured(_DRAWN, "auc_model_free")
_LOSS_DRAWN = Measured(_DRAWN, "auc_loss")
_REFERENCE_DRAWN = Measured(_DRAWN, "auc")

LESSON = Lesson(
    title="Was it the model, or the split?",
    question="An attack tells training text from other text very well. Does the model give it away, or the choice of "
    "the texts?",
    order=7,
    minutes=20,
    source="Duan et al. (2024), Das, Zhang and Tramèr (2024), and Meeus et al. (2024), on evaluations of language "
    "models.",
    story="A small pretrained model is fine-tuned on messages to mailing lists. Does it give away which ones? To find "
    "out, somebody needs messages that were in the training text (members) and messages that were not. Many published "
    "evaluations take newer texts for the second kind: what was written later was surely not trained on. Here this is "
    "done on purpose, to see what comes of it: the split is deliberately broken. Then the same messages are split by "
    "lot.",
    steps=(
        Step(
            title="Old members, new non-members",
            situation="The adversary asks each of {loss_membership_broken_split@game.plays} models about "
            "{loss_membership_broken_split@game.targets} messages. The older half was in the training text; the newer "
            "half was not. Its score is how likely the model finds a message: the loss alone. AUC says with what "
            "probability a member scores above a non-member.",
            prediction=Number("What is the AUC of the loss alone?", _LOSS_BROKEN, "Loss alone", low=0.4),
            why="A model that was fine-tuned on old messages has learnt how those are written, and may find one "
            "likelier without having seen it. No chance is drawn: guessing would give one half, but something else is "
            "to be compared with here. The next step says what.",
            misconception="Texts from after the training are the safest non-members, as nobody can have trained on "
            "them.",
            truth="They are safe non-members and a bad comparison. The AUC of {loss_membership_broken_split:auc_loss} "
            "looks like a leak, and says nothing of one.",
            further=(_BROKEN, "the deliberately broken split"),
            claims=(Above(_LOSS_BROKEN, _LOSS_DRAWN),),
        ),
        Step(
            title="Without the model",
            situation="Now nobody asks the model. A classifier reads the words of some of these messages and of all "
            "others of both halves. It is told which half each is from. Then it judges the rest of these messages.",
            prediction=Number(
                "What is the AUC of the text alone, between old and new messages?", _TEXT_BROKEN, "Text alone", low=0.4
            ),
            why="Old and new messages name other programs, people and versions. A few words are enough for a date, "
            "and the date is all that decides here.",
            misconception="A high AUC shows that the model remembers.",
            truth="Without any model the AUC is {loss_membership_broken_split:auc_model_free}; by the loss of the "
            "model it was {loss_membership_broken_split:auc_loss}. So what the model knows is not needed to explain "
            "it.",
            further=(_BROKEN, "every adversary beside the text alone"),
            claims=(AboveChance(_TEXT_BROKEN), Above(_TEXT_BROKEN, _LOSS_BROKEN)),
        ),
        Step(
            title="The same messages, by lot",
            situation="The same messages, the same kind of model, as many epochs. This time a lot decides which half "
            "of the messages is in the training text, so that old and new ones are on both sides.",
            prediction=Number(
                "What is the AUC of the text alone after a split by lot?", _TEXT_DRAWN, "Text alone", low=0.2
            ),
            why="Nothing in a message tells how the lot fell. The classifier has learnt what it can, and guesses.",
            misconception="A classifier that reads the text will always find some difference.",
            truth="With the lot it does not: {loss_membership_random_split:auc_model_free}. The loss alone falls to "
            "{loss_membership_random_split:auc_loss}, and that is what the model itself gives away by it.",
            further=(_DRAWN, "the random split"),
            claims=(AtChance(_TEXT_DRAWN), AboveChance(_LOSS_DRAWN), Above(_LOSS_BROKEN, _LOSS_DRAWN)),
        ),
        Step(
            title="What is left",
            situation="Still the random split. One more attack compares the model with a reference model, which was "
            "trained on other messages of the same lists and years.",
            prediction=Choice(
                "Which of the three ranks members highest?",
                {
                    "the text alone": _TEXT_DRAWN,
                    "the loss alone": _LOSS_DRAWN,
                    "the loss beside a reference model": _REFERENCE_DRAWN,
                },
                "AUC: probability that a member scores above a non-member",
            ),
            why="The reference model tells how likely a message is anyway. What only the fine-tuned model finds "
            "likely, it has probably seen. With the broken split the text alone reached "
            "{loss_membership_broken_split:auc_model_free}, and this attack is not shown to exceed that: "
            "{loss_membership_broken_split:auc}. Nobody can say how much of it was memory: its two models "
            "had read different years.",
            misconception="If the split was broken, there was no leak.",
            truth="There is one, and now it can be measured: {loss_membership_random_split:auc} beside a reference "
            "model, {loss_membership_random_split:auc_model_free} by the text alone.",
            further=(_DRAWN, "every statistic on the same decisions"),
            claims=(
                AboveChance(_REFERENCE_DRAWN),
                Above(_REFERENCE_DRAWN, _LOSS_DRAWN),
                Above(_REFERENCE_DRAWN, _TEXT_DRAWN),
                Alike(_REFERENCE_BROKEN, _TEXT_BROKEN),
            ),
        ),
    ),
    takeaway="Ask first what the text alone gives, without the model. If that is above chance, the split may explain "
    "the result, and no attack on it shows a leak. Draw members by lot from one source and one time.",
    terms=("AUC",),
)
