"""Was your mailbox in there? Word vectors that anyone may download, and whose mail they were trained on."""

from dashboard.topics.lessons.lesson import Above, AboveChance, AtChance, Lesson, Measured, Number, Point, Step

_PEOPLE = Measured("mailboxes", "accuracy_100")
_PAIRS = Measured("figure_3_cbow", "accuracy_100")
_ALL_VECTORS = Measured("figure_3_cbow", "accuracy_all_vectors_100")
_ONE, _TEN, _HUNDRED = (Measured("figure_3_skip_gram", f"accuracy_{size}") for size in (1, 10, 100))
_TEN_OTHER_DATA, _OTHER_DATA = (Measured("figure_4_skip_gram", f"accuracy_{size}") for size in (10, 100))
_LABELS = Measured("probing_same", "accuracy_1000")

LESSON = Lesson(
    title="Was your mailbox in there?",
    question="Does a list of word vectors reveal whose e-mails it was computed from?",
    order=1,
    minutes=30,
    source="Mahloujifar, Inan, Chase, Ghosh and Hasegawa (2021), Membership Inference on Word Embedding and Beyond.",
    story="A company trains word vectors on the e-mails of its staff and gives them away. No e-mail is in the file: "
    "only words, and a row of numbers for each. An adversary now tries to tell whether the mail of one person was "
    "used. It trains shadow models of its own, with that person’s mail and without it, and looks at what differs.",
    steps=(
        Step(
            title="Only a list of vectors",
            situation="The vectors come from e-mails of Enron. For each of twenty people a fair coin decides whether "
            "a hundred e-mails of theirs are among the {mailboxes@game.documents} that are used. The adversary has "
            "those hundred e-mails, may look up the vector of any word, and has trained "
            "{mailboxes@attack.shadow_pairs} shadow models with them and as many without.",
            prediction=Number("How often does the adversary name the right side of the coin?", _PEOPLE, "Accuracy"),
            why="Training moves two words that stand side by side closer together. Where a person often writes a "
            "pair of words that others seldom write, the distance of their vectors gives it away. The shadow models "
            "show which few pairs of words to look at.",
            misconception="Word vectors hold no sentences, so nobody’s mail can be found in them.",
            truth="They hold traces of which words stood together. For this question that is enough: of the "
            "adversary’s decisions, {mailboxes:accuracy_100} are right.",
            further=("mailboxes", "this experiment, with the word pairs that tell"),
            claims=(AboveChance(_PEOPLE),),
        ),
        Step(
            title="More to look at",
            situation="From here on, the e-mails in question are a hundred drawn at random, as in the paper. One "
            "adversary compares pairs of words, as before. Another hands the vectors of many words to a classifier, "
            "as they are, and compares no word with another.",
            prediction=Number(
                "How often is the adversary right that takes the vectors as they are?",
                _ALL_VECTORS,
                "Accuracy",
            ),
            why="Each training begins at random, and turns the whole space its own way. A coordinate means nothing "
            "from one model to the next; a distance between two words does. Here it is divided by the lengths of "
            "both vectors, so that frequent words do not blur it. Without that division, as in the paper, "
            "{figure_3_cbow:accuracy_l2_distance_100} of the decisions are right.",
            misconception="The more an adversary sees, the more it finds.",
            truth="What counts is what stays the same from model to model. All coordinates: "
            "{figure_3_cbow:accuracy_all_vectors_100}. Distances of a few pairs: {figure_3_cbow:accuracy_100}.",
            further=("figure_3_cbow", "the attack beside its baselines"),
            claims=(AtChance(_ALL_VECTORS), Above(_PAIRS, _ALL_VECTORS)),
        ),
        Step(
            title="One message among thousands",
            situation="Now with skip-gram, another way of training the same vectors. You see what is reached where "
            "ten or a hundred e-mails are in question, out of {figure_3_skip_gram@game.documents} in all. What if it "
            "is a single one?",
            prediction=Point(
                "How often is the adversary right about a single e-mail?",
                "E-mails in question",
                {"one": _ONE, "ten": _TEN, "a hundred": _HUNDRED},
                tick="one",
            ),
            why="A rare pair of words in one e-mail may be the only time that the model meets it. Then this e-mail "
            "alone decides where the pair ends up. One e-mail has fewer such pairs than ten, so the attack is weaker.",
            misconception="One text among so many cannot matter.",
            truth="It is harder to find, and still it leaks: {figure_3_skip_gram:accuracy_1}, where chance is a half.",
            further=("figure_3_skip_gram", "accuracy by the number of e-mails and of shadow models"),
            claims=(AboveChance(_ONE), Above(_TEN, _ONE)),
        ),
        Step(
            title="Without mail of the company",
            situation="So far the shadow models were trained on other e-mails of the same company. This adversary "
            "has none of them. It trains its shadow models on the mailing lists of a programming language instead, "
            "where people write about other things in other words. Again, a hundred e-mails are in question.",
            prediction=Number(
                "How often is an adversary right that has no mail of the company?", _OTHER_DATA, "Accuracy"
            ),
            why="Which pairs are rare differs between the two kinds of mail, so some of the pairs it looks at are the "
            "wrong ones. The others still give the e-mails away.",
            misconception="Without data like ours, nobody can attack us.",
            truth="Other text of the same language served, if less well. Of ten e-mails, where the difference is "
            "shown: {figure_4_skip_gram:accuracy_10} with mailing lists, {figure_3_skip_gram:accuracy_10} with mail of "
            "the company.",
            further=("figure_4_skip_gram", "shadow models from other data"),
            claims=(AboveChance(_OTHER_DATA), Above(_TEN, _TEN_OTHER_DATA)),
        ),
        Step(
            title="Nothing but a label",
            situation="The company takes the vectors back. It offers only a spam filter that was built on them: send "
            "it a text, and it says spam or not spam. The adversary may send texts of its own making. A thousand "
            "e-mails are in question.",
            prediction=Number(
                "How often is an adversary right that sees only the labels of a spam filter?", _LABELS, "Accuracy"
            ),
            why="The adversary takes the words that its shadow models point to and appends them to a hundred other "
            "documents. Where those words lie in the space moves some documents across the border of spam. A "
            "classifier, trained on filters that the adversary built itself, reads from these changes who is in.",
            misconception="A model that returns only a label gives nothing away.",
            truth="Each label says little, so the adversary asks for many: {probing_same:queries} for each decision. "
            "Of its decisions, {probing_same:accuracy_1000} are right.",
            further=("probing_same", "the spam filter and the queries to it"),
            claims=(AboveChance(_LABELS),),
        ),
    ),
    takeaway="Words that stand side by side, and seldom do elsewhere, tell whose text a model has seen. Neither a "
    "model without sentences nor one that returns only labels is safe from it. What an adversary reaches depends "
    "on how much of a person’s text is in there, and on the data it can train shadow models with.",
    terms=("shadow model",),
)
