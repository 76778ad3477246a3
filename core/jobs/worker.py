"""The process of one queued run."""

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from core.errors import RunCancelled, StoreError, TelltaleError
from core.jobs import Job, Jobs, State, sessions
from core.jobs.effort import Effort
from core.jobs.forecast import Forecast
from core.jobs.progress import JobProgress
from core.jobs.timelines import Timelines
from core.runtime import memory
from core.runtime.store import Store

_PAUSES = (0, 1, 2, 4, 8, 15)
_INTERVAL = 2.0


class _Ended(NamedTuple):
    """How a job ended: its state, what failed, and whether its experiment was run now, rather than before."""

    state: State
    message: str = ""
    ran: bool = False


def main(key: str, token: str) -> None:
    """Run the experiment of a job, record how it ended, and start the next job."""
    jobs = Jobs(Store())
    try:
        job = jobs.claim(key, token)
        timelines = Timelines(jobs.store)
        effort = Effort(cores=job.places)
        forecast = Forecast(timelines.of(job.experiment, job.expected), effort=effort, slowdown=effort.settled_slowdown)
        with leaving_when_replaced(jobs, key, token), JobProgress(jobs, key, token, forecast) as progress:
            progress.stage("Loading the libraries")
            sessions.step_back()
            ended = _outcome(lambda: _run(job, jobs, progress))
        if ended.ran and not forecast.resumed:
            timelines.keep(job.experiment, forecast.close())
    except RunCancelled as cancelled:
        print(cancelled, file=sys.stderr)  # noqa: T201 - the log of the job
        return
    _record(jobs, key, token, ended)


@contextmanager
def leaving_when_replaced(jobs: Jobs, key: str, token: str) -> Iterator[None]:
    """End this session once the job is cancelled or given to another process.

    The server that cancels or replaces a run may be in another container, where it cannot kill these processes.
    """
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_INTERVAL):
            if not jobs.is_claimed(key, token) and not over.is_set():
                sessions.end(token)
                os._exit(1)

    threading.Thread(target=watch, name=f"watch {key}", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _outcome(work: Callable[[], _Ended]) -> _Ended:
    """Return how some work ended, though it failed in whatever way."""
    try:
        return work()
    except (RunCancelled, KeyboardInterrupt, SystemExit):
        raise
    except TelltaleError as error:
        return _Ended("failed", str(error))
    except BaseException as error:  # the panic of a library written in Rust is no Exception
        traceback.print_exc()
        return _Ended("failed", f"Unexpected {type(error).__name__}: {error}")


def _run(job: Job, jobs: Jobs, progress: JobProgress) -> _Ended:
    """Run the experiment of a job unless its result is stored, and draw what is missing of that.

    A job whose result is stored is done, also where a drawing failed; its message says why.
    """
    run_memory, worker_memory = jobs.capacity.limits(job.places)
    with memory.within(run_memory):
        # Only now, because they take seconds and a person is waiting for a sign of life.
        from core.drawings import draw
        from core.experiment import Experiment, run
        from core.runtime.context import RunContext
        from core.runtime.engine import Engine

        experiment = Experiment.parse(job.experiment)
        if experiment.key != job.key:
            return _Ended(
                "failed", "The documents or the version of Telltale changed since the run was queued. Run it again."
            )
        engine = Engine(workers=job.places, memory=worker_memory)
        context = RunContext(store=replace(jobs.store, run=job.key), engine=engine, progress=progress)
        _, stored = run(experiment, context)

        def drawn() -> _Ended:
            draw(experiment, context)
            return _Ended("done", ran=not stored)

        return _outcome(drawn)._replace(state="done")


def _record(jobs: Jobs, key: str, token: str, ended: _Ended) -> None:
    """Record how the run ended, with retries while the disk is full, and start the next job."""
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            jobs.finish(key, token, ended.state, ended.message)
            jobs.tend()
        except StoreError as error:
            print(error, file=sys.stderr)  # noqa: T201 - the log of the job
        else:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
