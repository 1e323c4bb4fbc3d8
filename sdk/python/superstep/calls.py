"""What the generated methods say to the transport."""

from __future__ import annotations

import urllib.parse
import uuid
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

Definition = Union[str, bytes, Mapping[str, Any]]
"""A graph: YAML as text, JSON as a mapping, a bundle as the bytes of a zip."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One operation of the API."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    definition: Optional[Definition] = None
    repeat: str = "safe"
    idempotency_key: Optional[str] = None
    accept: str = "application/json"


def part(value: Union[str, int]) -> str:
    """A value as part of a path. `.` and `..` would be taken for folders."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} cannot be part of a path")
    return urllib.parse.quote(text, safe="")


def new_key() -> str:
    return uuid.uuid4().hex
