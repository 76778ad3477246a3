"""Ten minutes through what models give away: stored results, and one attack that runs on the spot."""

from dashboard.kit import tabs
from dashboard.topics.lessons.tour.tour import Stop, Tour

TOUR = Tour(
    title="What models give away",
    order=1,
    stops=(
        Stop(
            title="Every attack at a glance",
            look="Each row is an attack: its measured figure, its interval, and chance.",
            notes=(
                "Models trained on text give some of it away. Each row here is one way to get at it; its result "
                "comes with the code.",
                "Watch the distance between a point and its chance level. That is the leak; the bar is what we do "
                "not know of it.",
            ),
            minutes=1,
            page="overview",
            figure="overview",
        ),
        Stop(
            title="An attack that runs now",
            look="Press Run. The attack names the words of texts by their embeddings, with a seed never tried.",
            notes=(
                "Nothing is prepared: no result exists with this seed. The run is a process of its own, so we can go "
                "on while it works; the line in this bar says where it stands.",
                "The stored run of the same experiment reached an F1 of {demo_sparse_inversion:f1}. Compare it with "
                "chance beside it: naming the most frequent words for every text.",
            ),
            minutes=1,
            result="demo_sparse_inversion",
            live=True,
        ),
        Stop(
            title="Whose mailbox was it?",
            look="The model gives vectors of single words only. The adversary still tells whose e-mails it was "
            "trained on.",
            notes=(
                "For each of {mailboxes@game.targets} people a fair coin decides, model by model, whether their "
                "e-mails are used. The adversary knows the e-mails, and names the right side in "
                "{mailboxes:accuracy_100}; chance is a half.",
                "Word vectors hold no sentence. They hold which words stood together, and that is enough.",
            ),
            minutes=1.5,
            result="mailboxes",
            figure="accuracy",
            view={tabs.KEY: tabs.ANSWER},
        ),
        Stop(
            title="How it tells",
            look="The word pairs that shadow models found to be telling, and how far apart they lie with and without.",
            notes=(
                "The adversary trains models of its own, with the person and without, and keeps the few pairs of words "
                "that differ.",
                "This idea is behind the attacks on membership here: train it yourself both ways, and compare.",
            ),
            minutes=1,
            result="mailboxes",
            figure="pairs",
            view={tabs.KEY: tabs.HOW},
        ),
        Stop(
            title="A PIN in an assistant",
            look="How often a secret stood in the training text, and whether it can be read out again.",
            notes=(
                "The model was trained on ordinary requests, and on some with made-up secrets in them: a PIN, "
                "colours, a telephone number.",
                "Averaged over all of them, whether they stood there once or two thousand times, the adversary "
                "recovers {canaries_4:accuracy} as a whole; chance is next to none.",
            ),
            minutes=1.5,
            result="canaries_4",
            figure="outcome",
            view={tabs.KEY: tabs.ANSWER},
        ),
        Stop(
            title="What became of our run",
            look="The attack from before: its answer where it is finished, or its progress.",
            notes=(
                "The line of provenance says when and where it was computed. The same seed gives the same bytes on "
                "this machine; another kind of processor may round otherwise.",
                "If it is not finished, go on; this bar says when it is, and Page Up leads back here.",
            ),
            minutes=1,
            result="demo_sparse_inversion",
            live=True,
        ),
        Stop(
            title="What helps, and what it costs",
            look="A defense at several strengths: how often the adversary is right, and how much utility is left.",
            notes=(
                "No defense is free. Look for the strength at which the attack comes close to chance, then at how much "
                "utility is left.",
                "And look whether the adversary knew of the defense: one that does not makes it look better than it "
                "is.",
            ),
            minutes=1.5,
            page="defenses",
            figure="strength",
            view={"view.defense": "Laplace noise"},
        ),
        Stop(
            title="Your own vectors",
            look="An audit that is stored, and above it the form for vectors that you bring.",
            notes=(
                "Everything so far was public data. This page attacks embeddings of yours, from files; the command "
                "line also reads a database. Its report says what was tried and what was not.",
                "Lessons, in the menu, tell these stories step by step, alone or with a class on their phones.",
            ),
            minutes=1.5,
            page="vector_audit",
        ),
    ),
)
