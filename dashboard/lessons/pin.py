"""Can the assistant’s PIN be read back? A secret in one request, and a network that learnt from it."""

from dashboard.topics.lessons.lesson import Above, AboveChance, AtChance, Lesson, Measured, Number, Point, Step

_PAPER_SEARCH = Measured("canaries_4")
_BETTER_SEARCH = Measured("canaries_4_annealed")
_TIMES = {
    "never": Measured("canaries_4", "exposure_0"),
    "once": Measured("canaries_4", "exposure_1"),
    "ten times": Measured("canaries_4", "exposure_10"),
    "a hundred times": Measured("canaries_4", "exposure_100"),
    "a thousand times": Measured("canaries_4", "exposure_1000"),
}
_SIX_EXPOSED = Measured("canaries_6", "exposure")

LESSON = Lesson(
    title="Can the PIN be read back?",
    question="Somebody once told an assistant a secret. Can anyone with the trained network read it out?",
    order=2,
    minutes=25,
    source="Parikh, Dupuy and Gupta (2022), Canary Extraction in Natural Language Understanding Models.",
    story="An assistant learns from the requests of its users what they want. Among them stands “my pin code is”, "
    "and four digits. To measure what comes of it, made-up secrets are planted: canaries. The network stores no "
    "request. The adversary has the network with all its weights, and knows how the request begins.",
    steps=(
        Step(
            title="The method of the paper",
            situation="The secrets are PINs, telephone numbers and colours of {canaries_4@game.length} words each. "
            "The adversary searches for the words at which the network’s loss is lowest, with "
            "{canaries_4@attack.restarts} random restarts. Some secrets stood in the training data once, some very "
            "often. One counts as read out only if every word of it is right.",
            prediction=Number(
                "What share of the secrets does the search of the paper read out whole?",
                _PAPER_SEARCH,
                "Secrets read out",
            ),
            why="A request that the network was trained on fits its labels a little better than any other. The "
            "search follows that: it mixes the candidates for each word, and adjusts the mixture to lower the loss.",
            misconception="A network of weights holds no text, so no text can come out.",
            truth="Of the secrets, {canaries_4:accuracy} come out whole. By chance it would be hardly one in ten "
            "thousand.",
            further=("canaries_4", "watch the search settle on a secret"),
            claims=(AboveChance(_PAPER_SEARCH),),
        ),
        Step(
            title="The same networks, a better search",
            situation="Nothing is trained anew. Another search starts hot and cools down slowly, and in the end "
            "tries to replace single words. The networks and the secrets are the same as before.",
            prediction=Number(
                "What share of the secrets does the better search read out whole?", _BETTER_SEARCH, "Secrets read out"
            ),
            why="The first search often stops in a place from which every small step leads uphill. The secret was in "
            "the network all the time; only the search missed it.",
            misconception="The attack of a paper failed on our model, so the model is safe.",
            truth="A failed attack says something about the attack. The same networks give away "
            "{canaries_4:accuracy} of the secrets to one search, and {canaries_4_annealed:accuracy} to another.",
            further=("canaries_4_annealed", "the stronger of the two searches"),
            claims=(AboveChance(_BETTER_SEARCH), Above(_BETTER_SEARCH, _PAPER_SEARCH)),
        ),
        Step(
            title="Said once",
            situation="Exposure asks the network itself, without a search: at which rank does the true secret stand "
            "among all possible ones? Every bit halves the rank. You see it for secrets that never stood in the "
            "training data, and for those that stood there ten times and more.",
            prediction=Point(
                "What is the exposure of a secret that stood in the training data once?",
                "How often the secret stood in the training data",
                _TIMES,
                tick="once",
                low=0.0,
                high=15.0,
                step=0.5,
            ),
            why="The request is unlike all others, so the network learns it quickly. The first copy brings more than "
            "all further ones together.",
            misconception="What is said once among thousands of requests goes under.",
            truth="A secret that was never there has {canaries_4:exposure_0}. Said once, it has "
            "{canaries_4:exposure_1}: it stands near the top of the list.",
            further=("canaries_4", "exposure by the number of copies"),
            claims=(AboveChance(_TIMES["once"]), Above(_TIMES["once"], _TIMES["never"]), AtChance(_TIMES["never"])),
        ),
        Step(
            title="A longer secret",
            situation="Now the secrets have {canaries_6@game.length} words. The method of the paper reads out none "
            "of them: {canaries_6:accuracy}. Is a longer secret forgotten, or only harder to search for? The "
            "exposure is counted against a random sample of secrets here, so it cannot be much higher than before.",
            prediction=Number(
                "What is the exposure of the longer secrets?",
                _SIX_EXPOSED,
                "Exposure",
                low=0.0,
                high=15.0,
                step=0.5,
            ),
            why="The number of possible secrets grows by ten or twelve times with each word, and the search gets "
            "lost among them. The network still prefers the true one to almost all others.",
            misconception="Nothing could be extracted, so nothing was remembered.",
            truth="The search found nothing, and the exposure is {canaries_6:exposure}. Anyone who can narrow down the "
            "candidates in another way may still find the secret.",
            further=("canaries_6", "secrets of six words"),
            claims=(AboveChance(_SIX_EXPOSED),),
        ),
    ),
    takeaway="A network remembers a secret that it met once, though nothing of it can be seen in the weights. "
    "Whether it can be read out is a matter of the search, and searches get better. Exposure asks what is "
    "remembered; judge a model by that, and not by one attack that failed.",
    terms=("canary", "exposure"),
)
