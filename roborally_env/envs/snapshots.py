"""Snapshots of envs: a layer's own state around the snapshot of the env that it wraps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from roborally_env.base.checks import shown
from roborally_env.base.documents import snapshot_head
from roborally_env.base.errors import RoboRallyError, SnapshotError, cut, one_line
from roborally_env.base.types import NamedValues

_MAGIC = b"roborally-env-snapshot\n"


class _Saved(Protocol):
    """What has a state."""

    def state_dict(self) -> NamedValues: ...


def pack_snapshot(form: str, own: Mapping[str, Any], inner: bytes) -> bytes:
    """A snapshot of an env of that action form."""
    body = json.dumps({"form": form, **own}).encode() + b"\n" + inner
    return _MAGIC + hashlib.sha256(body).digest() + body


def unpack_snapshot(form: str, snapshot: Any) -> tuple[NamedValues, bytes]:
    """The two parts of `pack_snapshot`, or a SnapshotError."""
    if not isinstance(snapshot, (bytes, bytearray, memoryview)) or not bytes(snapshot).startswith(_MAGIC):
        raise SnapshotError("snapshot: expected bytes that snapshot() of an environment of this kind returned")
    rest = bytes(snapshot)[len(_MAGIC) :]
    digest, body = rest[:32], rest[32:]
    if hashlib.sha256(body).digest() != digest:
        raise SnapshotError("snapshot: damaged: its check sum does not fit; take it again")
    head, _, inner = body.partition(b"\n")
    own = snapshot_head(head)
    if own.get("form") != form:
        raise SnapshotError(f"snapshot: it was taken {_made(own.get('form'))}, this env was made {_made(form)}")
    return own, inner


def _made(form: object) -> str:
    """How an env of this form is made."""
    others = {"player": "with two robots for each agent", "seat": "as RoboRally-v0"}
    return others.get(str(form)) or f"with action {cut(repr(form))}"


def load_whole(env: _Saved, state: NamedValues, load: Callable[[NamedValues], None]) -> None:
    """Let `load` bring an env to a `state_dict`; if it cannot, the env is as before.

    Raises:
        RoboRallyError: for anything that is not the state of an env with the same arguments.
    """
    before = env.state_dict()
    _check_like(state, before, "state")
    try:
        load(state)
    except Exception as error:  # whatever the libraries that read the parts raise
        load(before)
        if isinstance(error, RoboRallyError):
            raise
        raise SnapshotError(f"state: expected what state_dict() gives ({one_line(error)})") from None


def _check_like(state: object, like: object, where: str) -> None:
    """Raise a SnapshotError where a state has not the form of `like`: other keys, types, shapes or dtypes."""
    kinds: dict[type, tuple[type, ...]] = {
        bytes: (bytes, bytearray, memoryview),
        bool: (bool, np.bool_, int),
        list: (list, tuple),
    }
    if isinstance(like, Mapping):
        if not isinstance(state, Mapping):
            raise SnapshotError(f"{where}: expected what state_dict() gives, got {shown(state)}")
        if set(state) != set(like):
            raise SnapshotError(f"{where}: expected the keys {', '.join(like)}, got {cut(', '.join(map(str, state)))}")
        for name in like:
            _check_like(state[name], like[name], f"{where}[{name!r}]")
    elif isinstance(like, np.ndarray):
        if not isinstance(state, np.ndarray) or (state.shape, state.dtype) != (like.shape, like.dtype):
            raise SnapshotError(f"{where}: expected an array {like.dtype} {like.shape}, got {shown(state)}")
    elif not isinstance(state, kinds.get(type(like), object)):
        raise SnapshotError(f"{where}: expected {type(like).__name__}, got {shown(state)}")


def check_numbers(own: Mapping[str, Any], name: str, count: int, low: int, high: int) -> list[int]:
    """The list of `count` whole numbers of a layer's own state.

    Raises:
        SnapshotError: if it is none, or a number is out of range.
    """
    found = own.get(name)
    good = isinstance(found, list) and len(found) == count and all(type(n) is int and low <= n <= high for n in found)
    if not good:
        raise SnapshotError(
            f"snapshot: {name}: expected {count} whole numbers from {low} to {high}, got {cut(repr(found))}"
        )
    return list(found or [])
