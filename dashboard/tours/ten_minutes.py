"""Ten minutes through what models give away: stored results, and one attack that runs on the spot."""

from dashboard.kit import tabs
from dashboard.topics.lessons.tour.tour import Stop, Tour

TOUR = Tour(
    title="What models give away",
    order=1,
    stops=(
        Stop(
            title="Every attack at a glance",
            look="Each row is an attack: its measured figure, its interval, and what guessing gives.",
            notes=(
                "Models trained on text give some of it away. Each row here is one way to get at it; its result "
                "comes with the code.",
                "Watch the distance between a point and its chance level. That is the leak; the bar is what we do "
                "not know of it.",
            ),
            minutes=1,
            page="overview",
        ),
        Stop(
            title="An attack that runs now",
            look="Press Run. The attack reads the words of texts from their embeddings alone, with a seed never tried.",
            notes=(
                "Nothing is prepared: no result exists with this seed. The run is a process of its own, so we can go "
                "on while it works; the line in this bar says where it stands.",
                "The stored run of the same experiment reached an F1 of {demo_sparse_inversion:f1}.",
            ),
            minutes=1,
            result="demo_sparse_inversion",
            live=True,
        ),
        Stop(
            title="Whose mailbox was it?",
            look="Vectors of single words, and nothing else. The adversary still tells whose e-mails they come from.",
            notes=(
                "A fair coin decides for each of these people whether their e-mails are used. The adversary names the "
                "right side in {mailboxes:accuracy_100}.",
                "Word vectors hold no sentence. They hold which words stood together, and that is enough.",
            ),
            minutes=1.5,
            result="mailboxes",
            view={tabs.KEY: tabs.ANSWER},
        ),
        Stop(
            title="How it tells",
            look="The word pairs that shadow models found to be telling, and how far apart they lie with and without.",
            notes=(
                "The adversary trains models of its own, with the person and without, and keeps the few pairs of words "
                "that differ.",
                "This is the one idea behind most attacks here: train it yourself both ways, and compare.",
            ),
            minutes=1,
            result="mailboxes",
            view={tabs.KEY: tabs.HOW},
        ),
        Stop(
            title="A PIN in an assistant",
            look="How often a secret stood in the training text, and whether it can be read out again.",
            notes=(
                "The model was trained on ordinary requests, and on a few with a made-up PIN in them.",
                "Averaged over all canaries, whether they stood there once or a thousand times, the adversary recovers "
                "{canaries_4:accuracy}.",
            ),
            minutes=1.5,
            result="canaries_4",
            view={tabs.KEY: tabs.ANSWER},
        ),
        Stop(
            title="What became of our run",
            look="The attack from before: its answer where it is finished, or its progress.",
            notes=(
                "The line of provenance says when and where it was computed. The same seed gives the same bytes on any "
                "machine.",
                "If it is not finished, go on; the last stop shows it again.",
            ),
            minutes=1,
            result="demo_sparse_inversion",
            live=True,
        ),
        Stop(
            title="What helps, and what it costs",
            look="From left to right a defense grows stronger: the leak falls, and so does the use of the embeddings.",
            notes=(
                "No defense is free. Look for the strength at which the attack comes close to chance, then at what is "
                "left of the use.",
                "And look whether the adversary knew of the defense: one that does is harder to stop.",
            ),
            minutes=1.5,
            page="defenses",
        ),
        Stop(
            title="Your own model",
            look="The same attacks on vectors that you bring, from a file or a database.",
            notes=(
                "Everything so far was public data. This page asks the same of yours, and its report says what was "
                "tried and what was not.",
                "Lessons, in the menu, tell these stories step by step, alone or with a class on their phones.",
            ),
            minutes=1.5,
            page="vector_audit",
        ),
    ),
)
