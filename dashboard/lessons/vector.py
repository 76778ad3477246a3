"""What does a vector remember? Be the adversary against a word embedding, then read sentence embeddings."""

from dashboard.topics.lessons.lesson import (
    Above,
    AboveChance,
    Adversary,
    AtChance,
    Lesson,
    Measured,
    Number,
    Pooled,
    Step,
)

_GAME = "demo_window_similarity"
_ATTACK, _BLIND = Measured(_GAME), Measured(_GAME, "accuracy_model_free")
_WORDS, _FOREIGN = Measured("inversion_multilabel", "f1"), Measured("inversion_multilabel_crossing", "f1")
_AUTHORS = Measured("authors_enron")

LESSON = Lesson(
    title="What does a vector remember?",
    question="A text went in, and a row of numbers came out. What can be told from the numbers alone?",
    order=3,
    minutes=35,
    source="Song and Raghunathan (2020), Information Leakage in Embedding Models.",
    story="Search engines and assistants keep texts as embeddings: rows of numbers, one for each text or word. They "
    "look like noise, and are often treated as if nobody could read them. You begin as the adversary yourself, "
    "without a model and then with one. After that you judge what a trained attack reads.",
    steps=(
        Step(
            title="Be the adversary, blind",
            situation="Below stand ten windows of eleven words from an encyclopedia. A word embedding was trained on "
            "half of its articles. Was the window among them? You see the text, and nothing of the model. Digits, "
            "punctuation and capitals are missing. The bold word is the one that an adversary asks a model about.",
            prediction=Adversary("Was each window in the training text, or not?", _GAME),
            why="The articles that a model is trained on were drawn at random, so the text alone says nothing, "
            "however carefully it is read. Good guesses here are luck: with ten items, the interval around your "
            "result is wide. The curve is the ROC of the attack, which queries the model and, over all windows, is "
            "right in {demo_window_similarity:accuracy}.",
            misconception="An odd text was surely in there, and a plain one surely was not.",
            truth="Without the model nobody can tell: {demo_window_similarity:accuracy_model_free}. Whoever is "
            "reliably right from the text alone has found a flaw in the experiment.",
            further=(_GAME, "this game, with its windows"),
            claims=(AtChance(_BLIND), Above(_ATTACK, _BLIND)),
        ),
        Step(
            title="Be the adversary, with the model",
            situation="The same ten windows, and another embedding, trained on another half of the articles. It "
            "answers one question about each: how well does the word in the middle go with those around it? The "
            "number is higher, that is nearer to zero or above it, where it finds that they go together.",
            prediction=Adversary("Was each window in the training text, or not?", _GAME, model=6, queries=True),
            why="Training raises this number for the words that it meets together. A common word goes with much that "
            "it never stood beside, so one threshold for all is not enough. The attack trains shadow models, and "
            "compares each number with those of models that were trained with this window and without it.",
            misconception="An attack needs a flaw in the software.",
            truth="It needs answers, and something to compare them with. You had the answers; the attack had shadow "
            "models as well.",
            further=(_GAME, "how the attack sets its threshold"),
            claims=(AboveChance(_ATTACK),),
        ),
        Step(
            title="Reading the words back",
            situation="Now whole sentences: restaurant reviews, each embedded by a public encoder. An adversary has "
            "{inversion_multilabel@attack.texts} other reviews, embeds them with the same encoder, and learns which "
            "words go with which numbers. Then it gets embeddings of sentences that it has never seen, and names "
            "their words.",
            prediction=Number(
                "How well does the adversary name the words of a sentence, as F1?", _WORDS, "F1 of words"
            ),
            why="An encoder is made so that texts of like meaning lie close together. To do that it must keep what "
            "they are about, and much of it is single words.",
            misconception="An embedding is like a hash: nobody can go back from it to the text.",
            truth="The words come back at an F1 of {inversion_multilabel:f1}. An adversary that learnt from "
            "encyclopedia articles instead reaches {inversion_multilabel_crossing:f1}: less, and still far from "
            "nothing.",
            further=("inversion_multilabel", "sentences, and the words that were read back"),
            claims=(AboveChance(_WORDS), AboveChance(_FOREIGN), Above(_WORDS, _FOREIGN)),
        ),
        Step(
            title="Who wrote it?",
            situation="E-mails of {authors_enron@attack.authors} employees of Enron, as embeddings. The adversary "
            "knows {authors_enron@attack.labels} e-mails of each, and gets an embedding of another. It names one of "
            "them as the author.",
            prediction=Number("How often does the adversary name the right author?", _AUTHORS, "Accuracy"),
            why="People write about their own work, in their own way, and sign it. Nobody asked the encoder to keep "
            "that, and nobody told it not to.",
            misconception="An embedding without a name beside it is anonymous.",
            truth="What one writes, and how, gives one away: the attack is right in {authors_enron:accuracy}, with "
            "nothing but the embedding.",
            further=("authors_enron", "authors, and who is taken for whom"),
            claims=(AboveChance(_AUTHORS),),
        ),
    ),
    takeaway="An embedding is a translation of a text, not a hash of it. The model that makes it may tell what it "
    "was trained on; the embedding itself tells words and authors. Guard stored embeddings as you guard the texts.",
    terms=("F1", "ROC", "shadow model"),
    pooled=Pooled(
        title="The same attack, your own seed",
        situation="Now run it yourself: the attack on windows of words, smaller. The seed decides which articles each "
        "model is trained on, how training begins, and which windows are asked about. Texts and settings stay the "
        "same. Each run is a dot. How far will they lie apart?",
        label="Accuracy of a run",
        why="Each run is one draw. The interval of the mean shrinks with the number of runs; the spread of the dots "
        "does not. A single run may lie anywhere among the dots, so one figure without an interval says little. All "
        "runs share the same texts: neither dots nor interval say what other texts would give.",
        results=tuple(f"windows_small_{seed}" for seed in range(1, 9)),
        low=0.5,
        high=0.9,
    ),
)
