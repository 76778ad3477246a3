"""What helps, and what does it cost? Rounding, noise, and an adversary that knows the defense."""

from dashboard.topics.lessons.lesson import Above, AboveChance, AtChance, Choice, Lesson, Measured, Number, Point, Step

_NONE, _ROUNDED = Measured("defense_airline_none"), Measured("defense_airline_rounding_1")
_NOISE = {epsilon: Measured(f"defense_airline_laplace_{epsilon}") for epsilon in ("1000", "300", "100", "30", "10")}
_MAPPED = {
    "does not know the defense": Measured("defense_airline_adversarial_mapping_10", "accuracy_naive"),
    "knows it, and learns anew": Measured("defense_airline_adversarial_mapping_10"),
}
_NAIVE, _ADAPTIVE = _MAPPED.values()
_RIGHT = "Guesses that are right, in percent"
_UTILITY = Measured("defense_airline_laplace_30", "utility")
_MODELS = ("next_word_random_emails", "next_word_epsilon_8")
_OPEN_PERPLEXITY, _PRIVATE_PERPLEXITY = (Measured(name, "perplexity_test") for name in _MODELS)
_OPEN_LEAK, _PRIVATE_LEAK = (Measured(name, "accuracy_full_text_10") for name in _MODELS)

LESSON = Lesson(
    title="What helps, and what does it cost?",
    question="Which change to a model or to its answers stops an adversary, and how much utility remains?",
    order=6,
    minutes=35,
    source="Pan, Zhang, Ji and Yang (2020), section VII; Abadi et al. (2016), Deep Learning with Differential Privacy.",
    story="A service stores embeddings of airline reviews. An adversary tells from one whether a city was named in "
    "it. The service may change the embeddings before it stores them, as long as they still serve. You judge three "
    "changes, what they cost, and in the end a training that comes with a guarantee.",
    steps=(
        Step(
            title="Rounding",
            situation="Is a certain city named in the review, or not? Without any defense the adversary is right "
            "about that in {defense_airline_none:accuracy}. Now every coordinate is rounded to a single decimal. Most "
            "coordinates are so small that they become zero.",
            prediction=Number("How often is the adversary right about the city after rounding?", _ROUNDED, "Accuracy"),
            why="The few coordinates that remain say which directions are large. There are hundreds of coordinates, "
            "so that is still plenty to learn from.",
            misconception="Coarser numbers hide what is personal.",
            truth="What is coarse to the eye may be fine to a classifier: {defense_airline_rounding_1:accuracy} "
            "after rounding.",
            further=("defense_airline_rounding_1", "behind rounding to one decimal"),
            claims=(AboveChance(_ROUNDED),),
        ),
        Step(
            title="Noise",
            situation="Laplace noise is added to every coordinate. Its strength is given as epsilon, and smaller is "
            "stronger. Here it is a setting of the noise, and no guarantee.",
            prediction=Point(
                "How often is the adversary right about the city at an epsilon of 100?",
                "Epsilon of the noise; more noise to the right",
                _NOISE,
                tick="100",
            ),
            why="Each coordinate is blurred by itself, and the adversary sums over all of them. The sum stays sharp "
            "for a long time, then gives way within a narrow range of strengths.",
            misconception="A little noise already hides a lot.",
            truth="Where the noise is weak, next to nothing changes; then much changes at once. Epsilon alone tells "
            "you neither; measure it.",
            further=("defense_airline_laplace_100", "behind this noise"),
            claims=(Above(_NOISE["300"], _NOISE["100"]), Above(_NOISE["100"], _NOISE["30"])),
        ),
        Step(
            title="What utility remains",
            situation="At an epsilon of thirty the adversary is down to {defense_airline_laplace_30:accuracy}. The "
            "service wants the embeddings for a task of its own, in which it was right in "
            "{defense_airline_none:utility} before. Chance is to name the most common answer each time.",
            prediction=Number(
                "How often is the service right in its own task, behind noise of epsilon thirty?",
                _UTILITY,
                "Utility",
                low=0.4,
                high=0.8,
            ),
            why="The noise cannot tell the secret from the rest. What blurs the city for the adversary blurs the "
            "review for the service.",
            misconception="A defense that stops the attack is a good defense.",
            truth="An empty file stops it as well. Behind this noise the service is right in "
            "{defense_airline_laplace_30:utility}, not shown to be better than chance. A defense is judged by both "
            "figures.",
            further=("defense_airline_laplace_30", "utility and privacy behind this noise"),
            claims=(AtChance(_UTILITY), AboveChance(Measured("defense_airline_none", "utility"))),
        ),
        Step(
            title="Who knows the defense",
            situation="A network changes the embeddings so that a simulated adversary fails, and keeps them useful. "
            "One real adversary was trained before the defense came. Another knows of it, and trains on embeddings "
            "that went through the same network.",
            prediction=Choice("Which adversary is right more often behind a network as defense?", _MAPPED, _RIGHT),
            why="The network was trained to mislead one adversary. It moved the secret to where that one does not "
            "look; it did not take it away. An adversary that learns anew finds some of it.",
            misconception="We attacked our defense with the old attack and it held, so it holds.",
            truth="Test with an adversary that knows the defense. The old one: "
            "{defense_airline_adversarial_mapping_10:accuracy_naive}, chance. The new one: "
            "{defense_airline_adversarial_mapping_10:accuracy}.",
            further=("defense_airline_adversarial_mapping_10", "both adversaries"),
            claims=(AtChance(_NAIVE), AboveChance(_ADAPTIVE), Above(_ADAPTIVE, _NAIVE)),
        ),
        Step(
            title="A guarantee, and its price",
            situation="Last, a model that suggests the next word, trained on e-mails. An adversary that holds ten "
            "e-mails is right in {next_word_random_emails:accuracy_full_text_10} about whether they were in. Private "
            "training bounds by epsilon what one e-mail can change, here {next_word_epsilon_8@defenses.0.epsilon}; "
            "then it is right in {next_word_epsilon_8:accuracy_full_text_10}. Without it, the perplexity on new "
            "e-mails is {next_word_random_emails:perplexity_test}.",
            prediction=Number(
                "What is the perplexity with private training?",
                _PRIVATE_PERPLEXITY,
                "Perplexity",
                low=0.0,
                high=2000.0,
                step=20.0,
            ),
            why="Each e-mail’s influence is cut, and noise is added to what is left. What few e-mails have in common "
            "is lost with it, and a small model on few e-mails needs just that.",
            misconception="Differential privacy costs little; it only has to be switched on.",
            truth="It is the only defense here that promises something. On so few e-mails the price is high: "
            "{next_word_epsilon_8:perplexity_test}, up from {next_word_random_emails:perplexity_test}.",
            further=("next_word_epsilon_8", "private training of the language model"),
            claims=(AboveChance(_OPEN_LEAK), AtChance(_PRIVATE_LEAK), Above(_PRIVATE_PERPLEXITY, _OPEN_PERPLEXITY)),
        ),
    ),
    takeaway="Judge a defense by an adversary that knows it, and beside its cost. What looks coarse may hide "
    "nothing, and what hides everything may leave nothing of use. Only a guarantee holds for attacks that nobody has "
    "thought of.",
    terms=("epsilon", "perplexity"),
)
