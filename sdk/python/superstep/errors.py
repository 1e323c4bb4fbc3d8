"""What can go wrong, as exceptions."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Optional

from .codec import decode, given
from .generated import FieldError, Run

_CODE = re.compile(r"[a-z0-9_]{1,64}")
_MESSAGE_MAX = 2000


class SuperstepError(Exception):
    """What every error of this client is."""


class ServiceUnreachableError(SuperstepError):
    """The service could not be reached, or did not answer in time, however often it was asked."""


class RunTimeoutError(SuperstepError):
    """The time given to a wait is over. The run goes on; `run` is how it was last seen."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"run {run.id} is {run.status}, and the time to wait for it is over")
        self.run = run


class ApiError(SuperstepError):
    """The service refused a request.

    `code` does not change from release to release; `violations` say what is wrong with the
    content, each with a JSON pointer; `retry_after` is in seconds; `problem` is the whole answer.
    """

    def __init__(
        self, status: int, problem: Mapping[str, Any], retry_after: Optional[float] = None
    ) -> None:
        self.status = status
        self.code: str = problem.get("code") or f"http_{status}"
        self.detail: str = problem.get("detail") or ""
        self.violations: List[FieldError] = decode(List[FieldError], problem.get("errors") or [])
        self.retry_after = retry_after
        self.problem = problem
        places = "".join(f"\n  {it.pointer}: {it.message}" for it in self.violations)
        super().__init__(f"{status} {self.code}: {self.detail}{places}")


class InvalidRequestError(ApiError):
    """400, 405, 406, 413, 415, 422: the request is wrong; `violations` say where."""


class AccessDeniedError(ApiError):
    """401, 403: the key is missing, wrong, or may not do this."""


class NotFoundError(ApiError):
    """404"""


class ConflictError(ApiError):
    """409: the state of the resource forbids it, as `thread_busy`."""


class OverloadedError(ApiError):
    """408, 429, 502, 503, 504: too slow, too much at a time, or away, however often it was asked."""


BUSY = (408, 429, 502, 503, 504)


def api_error(status: int, problem: Mapping[str, Any], retry_after: Optional[float]) -> ApiError:
    """Makes the error for an answer."""
    special = {401: AccessDeniedError, 403: AccessDeniedError, 404: NotFoundError, 409: ConflictError}
    kind = special.get(status)
    if kind is None:
        other = InvalidRequestError if status < 500 else ApiError
        kind = OverloadedError if status in BUSY else other
    return kind(status, problem, retry_after)


class TaskFailed(Exception):
    """What a handler raises to say why. The retry policy of the node decides about `retryable`
    failures, its edges may name the `code`; `retry_after` is the least pause, in seconds."""

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        retryable: bool = False,
        retry_after: Optional[float] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message or code)
        if not _CODE.fullmatch(code) or not 0 <= (retry_after or 0) <= 86_400:
            raise ValueError(f"{code!r} is no {_CODE.pattern}, or {retry_after} s are beyond a day")
        error = {"code": code, "message": (message or code)[:_MESSAGE_MAX], "retryable": retryable}
        pause = None if retry_after is None else f"{round(retry_after * 1000)}ms"
        self.error = given({**error, "retry_after": pause, "details": details})

    @staticmethod
    def of(error: BaseException) -> TaskFailed:
        named = f"{type(error).__name__}: {error}"
        return error if isinstance(error, TaskFailed) else TaskFailed("node_failed", named, retryable=True)


def is_word(error: Any) -> bool:
    """Whether the service itself says so, and will say so again: not a proxy, and not a failure."""
    final = isinstance(error, ApiError) and error.status < 500 and error.status not in (408, 429)
    return final and error.code != f"http_{error.status}"


def is_lost(error: Any) -> bool:
    """Whether the task is another worker's, or nobody's."""
    return is_word(error) and error.status in (404, 409) and error.code != "step_mismatch"
