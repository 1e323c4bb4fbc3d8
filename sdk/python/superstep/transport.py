"""Sends requests, and repeats what can be repeated."""

from __future__ import annotations

import datetime
import email.utils
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple

from .calls import Call, new_key
from .codec import decode, encode
from .errors import (
    BUSY,
    ApiError,
    NotFoundError,
    ServiceUnreachableError,
    SuperstepError,
    api_error,
)

PAUSE_MAX = 10.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the service is, and how patient the client is; times are in seconds."""

    base_url: str
    api_key: Optional[str] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    retries: int = 4
    """How often a request is repeated that found the service away or busy."""
    retry_pause: float = 0.5
    """The first pause; it doubles up to ten seconds."""
    retry_after_max: float = 60.0
    """A `Retry-After` beyond this is an error at once."""
    timeout: float = 90.0
    """For how long the service may be silent in a request, which is more than the longest wait."""
    idle: float = 45.0
    """After so long a silence a stream is taken for broken."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API has none, and another host must not get the key."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._base = settings.base_url.rstrip("/")
        if not self._base.startswith(("http://", "https://")):
            raise ValueError(f"{settings.base_url!r} is no http address")
        self._headers: Dict[str, str] = {"User-Agent": "superstep-client-python/0.1.0"}
        if settings.api_key:
            self._headers["Authorization"] = f"Bearer {settings.api_key}"
        self._headers.update(settings.headers)
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(self, call: Call, kind: Any) -> Any:
        key = call.idempotency_key or new_key()
        attempt = 0
        while True:
            try:
                return self._once(call, key, kind)
            except SuperstepError as error:
                if call.method == "DELETE" and attempt and isinstance(error, NotFoundError):
                    return None  # An earlier attempt was not answered, but had its effect.
                if call.repeat == "never" or not self.repeatable(error):
                    raise
                if attempt >= self.settings.retries:
                    raise
                self.pause(attempt, error)
            attempt += 1

    def _once(self, call: Call, key: str, kind: Any) -> Any:
        headers = {"Accept": call.accept}
        with self.open(call, key, headers, self.settings.timeout) as response:
            try:
                data = response.read()
                if kind is None:
                    return None
                text = data.decode("utf-8")
                return text if call.accept == "text/plain" else decode(kind, json.loads(text))
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise ServiceUnreachableError(f"the answer broke off: {error}") from error

    def open(self, call: Call, key: str, headers: Mapping[str, str], timeout: float) -> Any:
        """One request; an answer that is no success is raised."""
        merged = {**self._headers, **headers}
        if call.repeat == "keyed":
            merged["Idempotency-Key"] = key
        content, data = _content(call)
        if content:
            merged["Content-Type"] = content
        url = self._base + call.path + _search(call.query)
        request = urllib.request.Request(url, data, merged, method=call.method)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                try:
                    text = error.read().decode("utf-8", "replace")
                except (OSError, http.client.HTTPException) as broken:
                    raise ServiceUnreachableError(str(broken)) from broken
            after = _retry_after(error.headers.get("Retry-After"))
            raise api_error(error.code, _problem(text), after) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise ServiceUnreachableError(str(reason) or type(reason).__name__) from error

    def repeatable(self, error: Exception) -> bool:
        """Whether asking again may help."""
        if isinstance(error, ApiError):
            patient = (error.retry_after or 0) <= self.settings.retry_after_max
            return patient and (error.status in BUSY or error.code == "idempotency_in_progress")
        return isinstance(error, ServiceUnreachableError)

    def pause(self, attempt: int, error: Exception) -> None:
        asked = getattr(error, "retry_after", None)
        grown = min(self.settings.retry_pause * 2**attempt, PAUSE_MAX)
        # A share is left to chance, so that clients do not come back all at once.
        time.sleep(grown * random.uniform(0.5, 1) if asked is None else asked)


def settings(base_url: Optional[str], api_key: Optional[str], others: Mapping[str, Any]) -> Settings:
    """What is not given comes from the environment."""
    return Settings(
        base_url=base_url or os.environ.get("SUPERSTEP_URL") or "http://127.0.0.1:8080",
        api_key=api_key or os.environ.get("SUPERSTEP_API_KEY"),
        **others,
    )


def _content(call: Call) -> Tuple[str, Optional[bytes]]:
    definition = call.definition
    if isinstance(definition, str):
        return "application/yaml", definition.encode("utf-8")
    if isinstance(definition, bytes):
        return "application/zip", definition
    body = definition if definition is not None else call.body
    if body is None:
        return "", b"" if call.method == "POST" else None
    return "application/json", json.dumps(encode(body)).encode("utf-8")


def _search(query: Mapping[str, Any]) -> str:
    pairs = []
    for name, value in query.items():
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is not None:
                pairs.append((name, _text(item)))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _text(item: Any) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return encode(item) if isinstance(item, datetime.datetime) else str(item)


def _problem(text: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(text)
        return parsed if isinstance(parsed, dict) else {"detail": text[:500]}
    except ValueError:
        return {"detail": text[:500]}


def _retry_after(header: Optional[str]) -> Optional[float]:
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
