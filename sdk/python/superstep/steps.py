"""What a handler of a worker has done once, whoever repeats its task."""

from __future__ import annotations

import inspect
import json
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional

from .codec import encode
from .errors import ApiError, TaskFailed, is_lost, is_word
from .generated import ClaimedTask, TaskStep, TaskSteps

_INVALID = "invalid_result"
_MISMATCH = "step_mismatch"


def _echo(from_: Optional[int] = None, step: Any = None) -> TaskSteps:
    """Without a service."""
    status = "failed" if "error" in step else "succeeded" if "result" in step else "begun"
    recorded = TaskStep(
        name=step["name"], ordinal=step["ordinal"], status=status, result=step.get("result")
    )
    return TaskSteps(items=[recorded], more=False)


class Steps:
    """Calls whose results are recorded before they are returned: whoever repeats the task gets them
    at once. Steps are known by their order and names, so code between them does the same each time.
    A call may take its key, which is the step's own, and equal for every attempt."""

    def __init__(self, claimed: ClaimedTask, post: Callable[..., TaskSteps] = _echo) -> None:
        self.mismatch: Optional[TaskFailed] = None
        self._claimed = claimed
        self._post = post
        self._lock = threading.Lock()
        self._begun = 0
        self._known: Optional[Dict[int, TaskStep]] = None if claimed.repeated else {}
        self._failures: List[Dict[str, Any]] = []

    def run(self, name: str, call: Callable[..., Any]) -> Any:
        """Makes a call, again if it was in flight when its process died, or has failed. What it
        returns comes as JSON: of a dataclass its dict."""
        return self._make(name, call, False)

    def once(self, name: str, call: Callable[..., Any]) -> Any:
        """Makes a call once at most: if its process dies meanwhile, it fails with
        `unknown_outcome`."""
        return self._make(name, call, True)

    def _make(self, name: str, call: Callable[..., Any], once: bool) -> Any:
        with self._lock:
            ordinal, self._begun = self._begun, self._begun + 1
            known = self._recorded().get(ordinal)
            caught, self._failures = ([], self._failures) if known else (self._failures, [])
        if known:
            return self._ended(known, name)
        for failure in caught:
            self._record(failure)
        place = {"ordinal": ordinal, "name": name}
        if once:
            begun = self._record(place)
            if begun.status != "begun":
                return self._ended(begun, name)
        try:
            result = call(*[f"{self._claimed.idempotency_key}-{ordinal}"][: _required(call)])
            return self._ended(self._record({**place, "result": _plain(result)}), name)
        except Exception as error:
            failure = TaskFailed.of(error)
            if once:
                self._record({**place, "error": failure.error})
            else:
                self._failures.append({**place, "error": failure.error})
            raise failure from error

    def compare(self) -> None:
        """What is recorded, and the handler has not come to, is of other code."""
        left = [it for it in self._recorded().values() if it.ordinal >= self._begun > 0]
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

    def _ended(self, step: TaskStep, asked: str) -> Any:
        if step.name != asked:
            raise self._differs(step, f"step {asked!r}")
        if step.status == "succeeded":
            return step.result
        error = step.error
        if error is None:
            raise TaskFailed("unknown_outcome", f"nobody knows what became of step {asked!r}")
        raise TaskFailed(
            error.code, error.message, retryable=bool(error.retryable), details=error.details
        )

    def _differs(self, step: TaskStep, asked: str) -> TaskFailed:
        text = f"step {step.ordinal + 1} is recorded as {step.name!r}, the code has {asked}"
        self.mismatch = self.mismatch or TaskFailed(_MISMATCH, text)
        return self.mismatch


def _required(call: Callable[..., Any]) -> int:
    parameters = inspect.signature(call).parameters.values()
    return sum(it.default is it.empty for it in parameters)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(encode(value), allow_nan=False))
