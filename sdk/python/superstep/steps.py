"""What a handler of a worker has done once, whoever repeats its task."""

from __future__ import annotations

import inspect
import json
import math
import re
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional

from .codec import encode, typed
from .errors import ApiError, TaskFailed, is_lost, is_word
from .generated import ClaimedTask, TaskStep, TaskSteps

_INVALID = "invalid_result"
_MISMATCH = "step_mismatch"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_COUNT_MAX = 1000


def _echo(from_: Optional[int] = None, step: Any = None) -> TaskSteps:
    """Without a service."""
    kind, result = _kind(step), step.get("result", step.get("ask", {}).get("default_answer"))
    begins = kind == "call" and "result" not in step
    status = "failed" if "error" in step else "begun" if begins else "succeeded"
    recorded = {"name": step["name"], "ordinal": step["ordinal"], "kind": kind}
    return TaskSteps(items=[TaskStep(**recorded, status=status, result=result)], more=False)


def _kind(step: Mapping[str, Any]) -> str:
    return "sleep" if "sleep" in step else "ask" if "ask" in step else "call"


class Steps:
    """Calls whose results are recorded before they are returned: whoever repeats the task gets them
    at once. Steps are known by their order and names, so code between them does the same each time.
    They are made one behind the other. A call is given its key, which is the step's own, and equal
    for every attempt."""

    def __init__(
        self,
        claimed: ClaimedTask,
        post: Callable[..., TaskSteps] = _echo,
        held: Callable[..., None] = lambda given_back=False: None,
    ) -> None:
        self.mismatch: Optional[TaskFailed] = None
        self._claimed = claimed
        self._post = post
        self._held = held
        self._lock = threading.Lock()
        self._begun = 0
        self._known: Optional[Dict[int, TaskStep]] = None if claimed.repeated else {}
        self._failures: List[Dict[str, Any]] = []

    def run(self, name: str, call: Callable[[str], Any], type: Any = Any) -> Any:
        """Makes a call, again if it was in flight when its process died, or has failed. What it
        returns comes as JSON, or as `type`, which may be a dataclass."""
        return self._make(name, call, type, False)

    def once(self, name: str, call: Callable[[str], Any], type: Any = Any) -> Any:
        """Makes a call once at most: if its process dies meanwhile, it fails with
        `unknown_outcome`."""
        return self._make(name, call, type, True)

    def sleep(self, name: str, seconds: float) -> None:
        """Gives the task back: whoever gets it once the time is over goes on behind this."""
        self._make(name, {"sleep": f"{math.ceil(seconds * 1000)}ms"})

    def ask(self, name: str, question: Mapping[str, Any], type: Any = Any) -> Any:
        """Likewise, until somebody has answered: a question is what `interrupt` is in the result of
        a node. `Worker.test` answers it with its `default_answer`."""
        return self._make(name, {"ask": encode(question)}, type)

    def _make(self, name: str, call: Any, kind: Any = Any, once: bool = False) -> Any:
        if not _NAME.fullmatch(name) or inspect.iscoroutinefunction(call):
            raise ValueError(f"{name!r} is no {_NAME.pattern}, or its call is a coroutine")
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("steps are made one behind the other")
        try:
            return self._typed(self._next(name, call, once), kind)
        finally:
            self._lock.release()

    def _next(self, name: str, call: Any, once: bool) -> TaskStep:
        self._held()
        ordinal, self._begun = self._begun, self._begun + 1
        place = {"ordinal": ordinal, "name": name}
        step = {**place, **call} if isinstance(call, dict) else place
        known = self._recorded().get(ordinal)
        if known and known.status != "waiting":
            return self._ended(known, step)
        if ordinal >= _COUNT_MAX:
            raise TaskFailed("too_many_steps", f"a task has {_COUNT_MAX} steps at most")
        while self._failures:
            self._record(self._failures.pop(0))  # it was caught
        if once or step is not place:
            begun = self._record(step)
            if begun.status != "begun":
                return self._ended(begun, step)
        self._held()
        try:
            result = _plain(call(f"{self._claimed.idempotency_key}-{ordinal}"))
        except Exception as error:
            failure = TaskFailed.of(error)
            failed = {**place, "error": failure.error}
            if once:
                return self._ended(self._record(failed), place)  # it stays, and says so
            self._failures.append(failed)
            raise failure from (None if failure is error else error)
        return self._ended(self._record_result({**place, "result": result}), place)

    def _record_result(self, made: Dict[str, Any]) -> TaskStep:
        """A result that the service does not take is a failure: its call was made."""
        try:
            return self._record(made)
        except TaskFailed as failure:
            if self.mismatch:
                raise
            place = {"ordinal": made["ordinal"], "name": made["name"]}
            return self._record({**place, "error": failure.error})

    @staticmethod
    def _typed(step: TaskStep, kind: Any) -> Any:
        try:
            return step.result if kind is Any else typed(kind, step.result)
        except ValueError as error:
            raise TaskFailed("bad_step_result", f"step {step.name!r}: {error}") from error

    def compare(self) -> None:
        """What is recorded, and the handler has not come to, is of other code."""
        steps = self._recorded().values() if self._begun else ()
        left = [it for it in steps if it.ordinal >= self._begun]
        if left and not self.mismatch:
            self._differs(left[0], "the end")

    def _recorded(self) -> Dict[int, TaskStep]:
        if self._known is None:
            known: Dict[int, TaskStep] = {}
            more = True
            while more:
                page = self._post(from_=max(known, default=-1) + 1)
                known.update((it.ordinal, it) for it in page.items)
                more = page.more
            self._known = known
        return self._known

    def _record(self, step: Mapping[str, Any]) -> TaskStep:
        try:
            return self._post(step=step).items[0]
        except ApiError as error:
            if is_lost(error) or not is_word(error):
                raise
            failure = TaskFailed(_MISMATCH if error.code == _MISMATCH else _INVALID, str(error))
            if error.code == _MISMATCH:
                self.mismatch = self.mismatch or failure
            raise failure from error

    def _ended(self, step: TaskStep, asked: Mapping[str, Any]) -> TaskStep:
        if step.name != asked["name"] or step.kind != _kind(asked):
            raise self._differs(step, f"{_kind(asked)} {asked['name']!r}")
        if step.status == "waiting":
            self._held(given_back=True)
        if step.status == "succeeded":
            return step
        if step.error is None:
            raise TaskFailed("unknown_outcome", f"nobody knows what became of step {step.name!r}")
        failure = TaskFailed(step.error.code, step.error.message)
        failure.error = encode(step.error)
        raise failure

    def _differs(self, step: TaskStep, asked: str) -> TaskFailed:
        text = f"step {step.ordinal + 1} is recorded as {step.kind} {step.name!r}, the code has {asked}"
        self.mismatch = self.mismatch or TaskFailed(_MISMATCH, text)
        return self.mismatch


def _plain(value: Any) -> Any:
    try:
        return json.loads(json.dumps(encode(value), allow_nan=False))
    except Exception as error:
        raise TaskFailed("invalid_result", f"the result of a step is no JSON: {error}") from error
