"""Between JSON and the dataclasses of `generated`."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import re
import types
import typing
from typing import Any, Dict, Mapping

_TIME = re.compile(r"(.*?:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$")


def given(members: Mapping[str, Any]) -> Dict[str, Any]:
    """The members that somebody gave: those that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def encode(value: Any) -> Any:
    """A value as plain JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = ((it, getattr(value, it.name)) for it in dataclasses.fields(value))
        return {
            it.name.rstrip("_"): encode(member)
            for it, member in members
            if member is not None or it.default is dataclasses.MISSING
        }
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: encode(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(it) for it in value]
    return value


def decode(kind: Any, value: Any) -> Any:
    """Plain JSON as a type. Members that it does not know, of a newer service, are left out."""
    if value is None or kind is Any:
        return value
    if dataclasses.is_dataclass(kind):
        members = {
            it.name: decode(_hints(kind)[it.name], value.get(it.name.rstrip("_")))
            for it in dataclasses.fields(kind)
            if it.name.rstrip("_") in value or is_required(it)
        }
        return kind(**members)
    if kind is datetime.datetime:
        return _time(value)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return decode(arguments[0], value)
    if origin is list:
        return [decode(arguments[0], it) for it in value]
    if origin is dict:
        return {name: decode(arguments[1], it) for name, it in value.items()}
    return value


def is_required(field: dataclasses.Field[Any]) -> bool:
    return dataclasses.MISSING is field.default is field.default_factory


def typed(kind: Any, value: Any) -> Any:
    """Likewise for what a stranger sends: raises ValueError where it is not of the type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, getattr(types, "UnionType", None)):
        for it in arguments:
            try:
                return None if it is type(None) and value is None else typed(it, value)
            except ValueError:
                continue
    elif dataclasses.is_dataclass(kind) and isinstance(value, Mapping):
        fields = [it for it in dataclasses.fields(kind) if it.init]
        missing = [it.name for it in fields if is_required(it) and it.name.rstrip("_") not in value]
        if missing:
            raise ValueError(f"{', '.join(missing)} missing")
        given = [(it.name, it.name.rstrip("_")) for it in fields if it.name.rstrip("_") in value]
        return kind(**{name: typed(_hints(kind)[name], value[key]) for name, key in given})
    elif origin is list and isinstance(value, list):
        return [typed(arguments[0], it) for it in value]
    elif origin is dict and isinstance(value, Mapping):
        return {name: typed(arguments[1], it) for name, it in value.items()}
    elif kind is float and type(value) is int or kind in (bool, int, float, str) and type(value) is kind:
        return value
    elif kind in (list, dict, type(None)) and isinstance(value, kind):
        return value
    elif not dataclasses.is_dataclass(kind) and kind not in (bool, int, float, str, list, dict):
        if origin not in (list, dict) and kind is not type(None):
            return decode(kind, value)
    raise ValueError(f"{value!r:.100} is no {getattr(kind, '__name__', kind)}")


@functools.lru_cache(maxsize=None)
def _hints(kind: type) -> Dict[str, Any]:
    return typing.get_type_hints(kind)


def _time(text: str) -> Any:
    parts = _TIME.match(text)
    if parts is None:
        return text
    fraction = (parts[2] or "").ljust(6, "0")[:6]
    zone = "+00:00" if parts[3] == "Z" else parts[3]
    return datetime.datetime.fromisoformat(f"{parts[1]}.{fraction}{zone}")
