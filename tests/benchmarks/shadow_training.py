"""How much faster than gensim skip-gram shadow models are trained; run with python -m."""

from tests.benchmarks.training_race import run

if __name__ == "__main__":
    run("shadow_training", skip_gram=True, models=12)
