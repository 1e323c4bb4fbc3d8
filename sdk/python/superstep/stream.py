"""The events of a run as an iterator that comes back when its connection breaks."""

from __future__ import annotations

import http.client
import json
from typing import Any, Dict, Iterator, Optional, Tuple

from .calls import Call, new_key, part
from .codec import decode
from .errors import ServiceUnreachableError, SuperstepError
from .generated import RunEvent
from .transport import Transport

_AT_REST = ("run.succeeded", "run.failed", "run.cancelled", "run.interrupted")
_OVER = ("run.succeeded", "run.cancelled")


def follow(run_id: str, query: Dict[str, Any]) -> Call:
    """What opens the stream of a run that exists."""
    return Call(method="GET", path=f"/v1/runs/{part(run_id)}/stream", query=query)


def events(
    transport: Transport,
    first: Optional[Call],
    run_id: Optional[str],
    last_id: Optional[str],
    query: Dict[str, Any],
) -> Iterator[RunEvent]:
    """`first` starts the run and its stream; without it, the run `run_id` exists."""
    key = (first.idempotency_key if first else None) or new_key()
    last_type, failures = "", 0
    while True:
        failure: SuperstepError = SuperstepError("the stream ends although the run is not at rest")
        try:
            call = follow(run_id, query) if run_id is not None or first is None else first
            headers = {"Accept": "text/event-stream, application/problem+json"}
            if last_id is not None and call.method == "GET":
                headers["Last-Event-ID"] = last_id
            with transport.open(call, key, headers, transport.settings.idle) as response:
                if response.status == 204:
                    return
                if run_id is None:
                    run_id = (response.headers.get("Location") or "").rsplit("/", 1)[-1] or None
                for stored, data in _frames(response):
                    if stored is not None:
                        last_id, failures = stored, 0
                    event = decode(RunEvent, json.loads(data)) if data is not None else None
                    if event is not None and event.type != "stream.cut":
                        run_id = run_id or event.run_id
                        last_type = event.type if stored is not None else last_type
                        yield event
        except SuperstepError as error:
            if not transport.repeatable(error):
                raise
            failure = error
        if last_type in (_OVER if query.get("follow") else _AT_REST):
            return
        if failures >= transport.settings.retries:
            raise failure
        transport.pause(failures, failure)
        failures += 1


def _frames(response: Any) -> Iterator[Tuple[Optional[str], Optional[str]]]:
    stored: Optional[str] = None
    data: Optional[str] = None
    while True:
        try:
            line = response.readline()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ServiceUnreachableError(f"the stream broke off: {error}") from error
        if not line.endswith(b"\n"):
            return  # A frame without an empty line behind it is incomplete.
        text = line.decode("utf-8").rstrip("\r\n")
        if not text:
            if stored is not None or data is not None:
                yield stored, data
            stored = data = None
        elif text.startswith("data:"):
            piece = text[5:].removeprefix(" ")
            data = piece if data is None else f"{data}\n{piece}"
        elif text.startswith("id:"):
            stored = text[3:].strip()
