"""Workers: processes of yours that execute the tasks of `worker` nodes."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import logging
import random
import re
import signal
import threading
import time
import typing
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, Tuple, TypeVar

from .client import Superstep
from .codec import decode, encode, typed
from .errors import ApiError, SuperstepError, TaskFailed, is_lost, is_word
from .generated import ClaimedTask, TaskOutcome
from .steps import Steps

_log = logging.getLogger("superstep.worker")

_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_CLAIM_MAX = 20
_TYPES_MAX = 20
_PROGRESS_MAX = 16_384
_WAIT = 5
"""Seconds of one claim, which a stop waits for: what an answer hands out must not be lost."""
_CLEAN_UP = 2.0
"""Seconds that a stop has for giving tasks back, and then gives to their handlers."""


_T = TypeVar("_T")


class _Cancelled(BaseException):
    """Nothing of the task counts any more: no failure of what a handler calls."""


class WorkerTask:
    """What a handler may know of its task, besides the input."""

    def __init__(self, claimed: ClaimedTask, worker: Optional[Worker] = None) -> None:
        self.claimed = claimed
        posting = [functools.partial(worker._step, self), self._hold] if worker else []
        self.steps = Steps(claimed, *posting)
        """What is done once, whoever repeats the task."""
        self.idempotency_key = claimed.idempotency_key
        """Equal for every attempt: what an effect is to be made once under."""
        self.attempt = claimed.attempt
        self.cancelled = threading.Event()
        """Set when nothing of this task counts any more: the run was cancelled, the lease is lost,
        a step has given it back, or the worker stops. Wait on it rather than sleep."""
        self._progress: Any = None
        self._lease = (claimed.heartbeat_ms or 0) / 1000
        self._over = time.monotonic() + self._lease
        self._made = threading.Event()  # what the handler makes is known: only the outcome is left
        self._done = threading.Event()

    def progress(self, value: Any) -> None:
        """Goes along with heartbeats, up to 16 KB; the last one is kept."""
        text = _json(value)
        if len(text) > _PROGRESS_MAX:
            raise ValueError(f"progress has more than {_PROGRESS_MAX} bytes")
        self._progress = json.loads(text)

    def _hold(self, given_back: bool = False) -> None:
        if given_back:
            self.cancelled.set()
        if time.monotonic() >= self._over:
            self._lose("the lease is over")
        if self.cancelled.is_set():
            raise _Cancelled("nothing of the task counts any more")

    def _lose(self, why: str) -> None:
        if not self._made.is_set() and not self.cancelled.is_set():
            _log.warning("Task %s is cancelled: %s", self.claimed.id, why)
            self.cancelled.set()


class Worker:
    """Executes tasks by functions, each in a thread of its own, up to `concurrency` at a time, once.

    `grace` is for how many seconds a stop lets tasks go on. `failure` is what the service has
    against this worker's claims, if it has ended by that.
    """

    def __init__(
        self, *, concurrency: int = 10, name: Optional[str] = None, grace: float = 20.0
    ) -> None:
        if concurrency < 1:
            raise ValueError("concurrency must be at least 1")
        self.concurrency = concurrency
        self.name = name
        self.grace = grace
        self.failure: Optional[Exception] = None
        self._handlers: Dict[str, Tuple[Callable[..., Any], Any, int]] = {}
        self._places = threading.Semaphore(concurrency)
        self._stopping = threading.Event()
        self._stopped = threading.Event()
        self._in_hand: Set[WorkerTask] = set()
        self._client: Any = None

    def task(self, type: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Makes a function the handler of a type of tasks: `f(input)` or `f(input, task)`. The
        annotation of `input` may be a dataclass. `async` functions get a loop of their own."""
        if not _TYPE.fullmatch(type):
            raise ValueError(f"{type!r} cannot name a type of tasks")

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            if len(self._handlers) >= _TYPES_MAX or type in self._handlers:
                raise ValueError(f"{type} has a handler, or {_TYPES_MAX} other types have")
            names = list(inspect.signature(function).parameters)
            kind = typing.get_type_hints(function).get(names[0], Any) if names else Any
            self._handlers[type] = (function, kind, len(names))
            return function

        return add

    def test(self, type: str, input: Any, **claimed: Any) -> TaskOutcome:
        """What the handler makes of an input, without a service. Members of the task, as
        `attempt=2`, may be given."""
        members = {"id": "test", "token": "test", "idempotency_key": "test", "attempt": 1}
        members.update(type=type, input=json.loads(_json(input)), **claimed)
        task = WorkerTask(decode(ClaimedTask, members))
        return decode(TaskOutcome, {"token": "test", **self._outcome(task)})

    def run(self, client: Optional[Superstep] = None) -> None:
        """Works until the process gets SIGTERM or SIGINT, which the main thread must take, or until
        `stop`. Raises what the service has against its claims."""

        def end(number: int, _: Any) -> None:
            signal.signal(number, signal.SIG_DFL)
            threading.Thread(target=self._stopping.set).start()  # this thread may hold its lock

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        self.start(client)
        self._stopping.wait()
        self.stop()
        if self.failure:
            raise self.failure

    def start(self, client: Optional[Superstep] = None) -> None:
        """Works in threads of its own, once, until `stop`."""
        if self._client or self._stopping.is_set() or not self._handlers:
            raise RuntimeError("a worker is started once, and has handlers")
        self._client = client or Superstep()
        for work in (self._claim, self._watch):
            threading.Thread(target=work, name="superstep-worker", daemon=True).start()

    def stop(self, grace: Optional[float] = None) -> None:
        """Claims nothing more, and waits for what is in hand. What is not done within `grace`
        seconds is cancelled and given back."""
        self._stopping.set()
        free = self._take(0, self.grace if grace is None else grace)
        self._stopped.set()
        if free < self.concurrency:
            self._give_back([it for it in self._in_hand if not it._made.is_set()])
            free = self._take(free, _CLEAN_UP)
        self._free(free)

    def _free(self, places: int) -> None:
        for _ in range(places):
            self._places.release()

    def _take(self, free: int, seconds: float) -> int:
        """Waits until all places are free, of which `free` were taken before."""
        end = time.monotonic() + seconds
        while free < self.concurrency:
            if not self._places.acquire(timeout=max(0.0, end - time.monotonic())):
                break
            free += 1
        return free

    def _claim(self) -> None:
        failures = 0
        calls = self._client.tasks.within(_WAIT + 15)
        while True:
            self._places.acquire()
            free = 1
            while free < _CLAIM_MAX and self._places.acquire(blocking=False):
                free += 1
            if self._stopping.is_set():
                return self._free(free)
            try:
                found = calls.claim(
                    type=list(self._handlers), max=free, wait=f"{_WAIT}s", worker=self.name
                )
                failures = 0
                for claimed in found.items:
                    free -= self._begin(WorkerTask(claimed, self))
            except Exception as error:
                if is_word(error):
                    _log.error("The worker ends, since its claims are refused: %s", error)
                    self.failure = error
                    self._stopping.set()
                else:
                    _log.warning("No tasks can be claimed, which is tried again: %s", error)
                    self._stopping.wait(_pause(failures, error))
                    failures += 1
            self._free(free)

    def _begin(self, task: WorkerTask) -> int:
        """How many places it takes: none if a stop has not waited for it, or there is no thread."""
        self._in_hand.add(task)
        try:
            if not self._stopped.is_set():
                threading.Thread(target=self._execute, args=(task,), daemon=True).start()
                return 1
        except Exception as error:
            _log.warning("Task %s cannot be begun: %s", task.claimed.id, error)
        self._in_hand.discard(task)
        self._give_back([task])
        return 0

    def _execute(self, task: WorkerTask) -> None:
        try:
            threading.Thread(target=self._beat, args=(task,), daemon=True).start()
            outcome = self._outcome(task)
            task._made.set()
            self._end(task, outcome)
        except BaseException:
            _log.exception("Task %s is left to its lease", task.claimed.id)
        finally:
            task._done.set()
            self._in_hand.discard(task)
            self._places.release()

    def _outcome(self, task: WorkerTask) -> Dict[str, Any]:
        function, kind, parameters = self._handlers[task.claimed.type]
        try:
            argument = typed(kind, task.claimed.input)
        except Exception as error:
            return {"error": TaskFailed("invalid_input", str(error)).error}
        try:
            result = function(*(argument, task)[:parameters])
            if inspect.isawaitable(result):
                result = asyncio.run(_awaited(result, task))
            outcome = {"result": {} if result is None else result}
            task.steps.compare()
        except BaseException as error:
            if not isinstance(error, TaskFailed) and not task.cancelled.is_set():
                _log.warning("Task %s has failed", task.claimed.id, exc_info=True)
            outcome = {"error": TaskFailed.of(error).error}
        if task.steps.mismatch:
            outcome = {"error": task.steps.mismatch.error}
        try:
            return json.loads(_json(outcome))
        except Exception as error:
            return {"error": TaskFailed("invalid_result", f"no JSON: {error}").error}

    def _end(self, task: WorkerTask, outcome: Dict[str, Any]) -> None:
        end = functools.partial(self._client.tasks.end, task.claimed.id, token=task.claimed.token)
        try:
            self._deliver(task, "The outcome", functools.partial(end, **outcome))
        except ApiError as error:
            if error.status in (400, 413, 422) and not _is_invalid(outcome):
                self._end(task, {"error": TaskFailed("invalid_result", str(error)).error})
        except _Cancelled:
            pass

    def _step(self, task: WorkerTask, **body: Any) -> Any:
        step = functools.partial(self._client.tasks.step, task.claimed.id)
        return self._deliver(task, "A step", lambda: step(token=task.claimed.token, **body))

    def _deliver(self, task: WorkerTask, what: str, call: Callable[[], _T]) -> _T:
        """Calls until the service has taken or refused it, or nothing of the task counts."""
        failures = 0
        while not task.cancelled.is_set():
            try:
                return call()
            except Exception as error:
                _log.warning("%s of task %s is not taken: %s", what, task.claimed.id, error)
                if is_lost(error):
                    task._lose(str(error))
                    task.cancelled.set()
                elif is_word(error) or not isinstance(error, SuperstepError):
                    raise
                task.cancelled.wait(_pause(failures, error))
                failures += 1
        raise _Cancelled("nothing of the task counts any more")

    def _beat(self, task: WorkerTask) -> None:
        third, token = task._lease / 3, task.claimed.token
        beats, pause = self._client.tasks.within(third), third
        while not task._done.wait(pause) and not task.cancelled.is_set():
            begin, pause = time.monotonic(), third / 4
            try:
                beat = beats.heartbeat(task.claimed.id, token=token, progress=task._progress)
                if not beat.wanted:
                    return task._lose("no run wants it")
                pause, task._over = third, begin + task._lease
            except Exception as error:
                if is_lost(error):
                    return task._lose(str(error))
                _log.warning("No heartbeat of task %s: %s", task.claimed.id, error)

    def _watch(self) -> None:
        """Cancels what could not be kept, whatever became of its heartbeats."""
        while not self._stopped.wait(0.1):
            for task in list(self._in_hand):
                if time.monotonic() > task._over:
                    task._lose("the lease is over")

    def _give_back(self, tasks: List[WorkerTask]) -> None:
        for task in tasks:
            task.cancelled.set()
        calls, end = self._client.tasks.within(_CLEAN_UP), time.monotonic() + _CLEAN_UP
        while tasks and time.monotonic() < end:
            left = []
            for task in tasks:
                try:
                    calls.release(task.claimed.id, token=task.claimed.token)
                except Exception as error:
                    if not is_word(error) and time.monotonic() < end:
                        left.append(task)
                    else:
                        _log.warning("Task %s is not given back: %s", task.claimed.id, error)
            tasks = left
            time.sleep(0.1 if left else 0)


async def _awaited(result: Any, task: WorkerTask) -> Any:
    work = asyncio.ensure_future(result)
    while not work.done():
        await asyncio.wait([work], timeout=0.1)
        if task.cancelled.is_set():
            work.cancel()
    return await work


def _json(value: Any) -> str:
    return json.dumps(encode(value), allow_nan=False)


def _is_invalid(outcome: Mapping[str, Any]) -> bool:
    return outcome.get("error", {}).get("code") == "invalid_result"


def _pause(failures: int, error: Exception) -> float:
    """Grows up to ten seconds; a share is left to chance, so that workers do not come all at once."""
    asked = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
    grown = min(0.5 * 2 ** min(failures, 10), 10.0)
    return min(asked, 60.0) + grown * random.uniform(0.5, 1)
