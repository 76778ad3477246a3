"""The process of one queued run."""

import os
import sys
import traceback

from core.errors import TelltaleError
from core.jobs import JobProgress, Jobs
from core.store import Store


def main(key: str) -> None:
    """Run the experiment of a job, record how it ended, and let the queue go on."""
    jobs = Jobs(Store())
    progress = JobProgress(jobs, key)
    progress.stage("Loading the libraries")
    os.nice(5)
    try:
        from core.experiment import Experiment, run
        from core.lab import Lab

        run(Experiment.parse(jobs.experiment(key)), Lab(store=jobs.store, progress=progress))
    except TelltaleError as error:
        jobs.finish(key, "failed", str(error))
    except Exception as error:
        traceback.print_exc()
        jobs.finish(key, "failed", f"Unexpected {type(error).__name__}: {error}")
    else:
        jobs.finish(key, "done")
    jobs.tend()


if __name__ == "__main__":
    main(sys.argv[1])
