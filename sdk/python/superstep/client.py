"""The client, and what is written by hand about runs."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .calls import Call
from .codec import given
from .errors import RunTimeoutError
from .generated import (
    CatalogOperations,
    GraphsOperations,
    Interrupt,
    InterruptsOperations,
    KeysOperations,
    Run,
    RunEvent,
    RunsOperations,
    RunSummary,
    TasksOperations,
    ThreadsOperations,
)
from .stream import events
from .transport import Transport, settings

Answer = Callable[[Interrupt], Any]

LEAVE_OPEN: Any = object()
"""What an `answer` function returns for a question that it does not answer."""

_SLICE = 30.0
"""Seconds of one wait: below what proxies commonly cut off, and below what the service allows."""

_AT_REST = ("succeeded", "failed", "cancelled", "interrupted")


def is_at_rest(run: Union[Run, RunSummary]) -> bool:
    """Whether nothing happens in a run until somebody does something."""
    return run.status in _AT_REST


class Runs(RunsOperations):
    """Runs: start, wait, follow, answer.

    Waits end with the run at rest, or with `RunTimeoutError` after `timeout` seconds. `answer`
    gets each open question, and returns its answer or `LEAVE_OPEN`; without it, or with no
    question answered, a wait ends with the run as `interrupted`.
    """

    def run(
        self,
        *,
        graph: str,
        input: Mapping[str, Any],
        timeout: Optional[float] = None,
        answer: Optional[Answer] = None,
        **body: Any,
    ) -> Run:
        """Starts a run and waits until it is at rest. Takes what `start` takes."""
        clock = _Clock(timeout)
        run = self.start(graph=graph, input=input, wait=clock.slice(), **body)
        return self._settle(run, clock, answer)

    def wait(
        self, run_id: str, *, timeout: Optional[float] = None, answer: Optional[Answer] = None
    ) -> Run:
        """Waits until a run is at rest."""
        clock = _Clock(timeout)
        return self._settle(self.get(run_id, wait=clock.slice()), clock, answer)

    def answer(
        self,
        run_id: str,
        value: Any,
        *,
        timeout: Optional[float] = None,
        answer: Optional[Answer] = None,
        idempotency_key: Optional[str] = None,
    ) -> Run:
        """Answers the only open question of a run, and waits until it is at rest again."""
        clock = _Clock(timeout)
        run = self.resume(
            run_id,
            answers=[{"value": value}],
            wait=clock.slice(),
            idempotency_key=idempotency_key,
        )
        return self._settle(run, clock, answer)

    def stream(
        self,
        run_id: str,
        *,
        last_event_id: Union[str, int, None] = None,
        follow: Optional[bool] = None,
        type: Optional[Sequence[str]] = None,
        node: Optional[Sequence[str]] = None,
        with_: Optional[str] = None,
    ) -> Iterator[RunEvent]:
        """The events of a run, from its first one or behind `last_event_id`, until it is at rest."""
        query = {"follow": follow, "type": type, "node": node, "with": with_}
        last = None if last_event_id is None else str(last_event_id)
        return events(self._transport, None, run_id, last, query)

    def start_stream(
        self,
        *,
        graph: str,
        input: Mapping[str, Any],
        follow: Optional[bool] = None,
        type: Optional[Sequence[str]] = None,
        node: Optional[Sequence[str]] = None,
        with_: Optional[str] = None,
        on_disconnect: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **body: Any,
    ) -> Iterator[RunEvent]:
        """Starts a run, once its first event is asked for, and misses nothing of it.

        Takes what `start` takes, but for `wait`.
        """
        query: Dict[str, Any] = {"follow": follow, "type": type, "node": node, "with": with_}
        first = Call(
            method="POST",
            path="/v1/runs/stream",
            query={**query, "on_disconnect": on_disconnect},
            body={"graph": graph, "input": input, **given(body)},
            repeat="keyed",
            idempotency_key=idempotency_key,
        )
        return events(self._transport, first, None, None, query)

    def _settle(self, run: Run, clock: _Clock, answer: Optional[Answer]) -> Run:
        while True:
            while not is_at_rest(run):
                if clock.is_over():
                    raise RunTimeoutError(run)
                run = self.get(run.id, wait=clock.slice())
            answers = _answers(run, answer)
            if not answers:
                return run
            run = self.resume(run.id, answers=answers, wait=clock.slice())


class Tasks(TasksOperations):
    """Tasks of workers; `superstep.Worker` makes these calls."""

    def within(self, timeout: float) -> TasksOperations:
        """These calls with so many seconds for an answer."""
        settings = dataclasses.replace(self._transport.settings, timeout=timeout, retries=0)
        return TasksOperations(Transport(settings))


def _answers(run: Run, answer: Optional[Answer]) -> List[Dict[str, Any]]:
    if answer is None or run.status != "interrupted":
        return []
    pairs = [(interrupt.id, answer(interrupt)) for interrupt in run.interrupts]
    return [{"interrupt_id": it, "value": value} for it, value in pairs if value is not LEAVE_OPEN]


class Superstep:
    """A client of one service. It holds no connection, and may be shared by threads.

    `base_url` and `api_key` come from `SUPERSTEP_URL` and `SUPERSTEP_API_KEY` unless given; what
    else it takes, `superstep.Settings` says.
    """

    def __init__(
        self, base_url: Optional[str] = None, *, api_key: Optional[str] = None, **others: Any
    ) -> None:
        transport = Transport(settings(base_url, api_key, others))
        self.graphs = GraphsOperations(transport)
        self.runs = Runs(transport)
        self.tasks = Tasks(transport)
        self.interrupts = InterruptsOperations(transport)
        self.threads = ThreadsOperations(transport)
        self.keys = KeysOperations(transport)
        self.catalog = CatalogOperations(transport)


def paginate(page: Callable[[Optional[str]], Any]) -> Iterator[Any]:
    """Everything that a list has: `paginate(lambda cursor: client.runs.search(cursor=cursor))`."""
    cursor: Optional[str] = None
    while True:
        found = page(cursor)
        yield from found.items
        cursor = found.next_cursor
        if cursor is None:
            return


class _Clock:
    """How much of the time to wait is left."""

    def __init__(self, timeout: Optional[float]) -> None:
        self._end = math.inf if timeout is None else time.monotonic() + timeout

    def slice(self) -> str:
        left = min(_SLICE, self._end - time.monotonic())
        return f"{math.ceil(max(0.0, left) * 1000)}ms"

    def is_over(self) -> bool:
        return time.monotonic() >= self._end
