"""How much faster than gensim CBOW shadow models are trained; run with python -m."""

from tests.benchmarks.training_race import run

if __name__ == "__main__":
    run("shadow_training_cbow", skip_gram=False, models=12)
