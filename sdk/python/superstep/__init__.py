"""A client of Superstep. Begin with `Superstep()`."""

from .calls import Definition
from .client import LEAVE_OPEN, Runs, Superstep, is_at_rest, paginate
from .errors import (
    AccessDeniedError,
    ApiError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    OverloadedError,
    RunTimeoutError,
    ServiceUnreachableError,
    SuperstepError,
    TaskFailed,
)
from .steps import Steps
from .transport import Settings
from .worker import Worker, WorkerTask

__all__ = [
    "LEAVE_OPEN",
    "AccessDeniedError",
    "ApiError",
    "ConflictError",
    "Definition",
    "InvalidRequestError",
    "NotFoundError",
    "OverloadedError",
    "RunTimeoutError",
    "Runs",
    "ServiceUnreachableError",
    "Settings",
    "Steps",
    "Superstep",
    "SuperstepError",
    "TaskFailed",
    "Worker",
    "WorkerTask",
    "is_at_rest",
    "paginate",
]
