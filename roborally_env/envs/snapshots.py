"""Snapshots of envs: a layer's own state around the snapshot of the env that it wraps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from roborally_env.base.checks import shown
from roborally_env.base.documents import snapshot_head
from roborally_env.base.errors import SnapshotError, cut
from roborally_env.base.types import NamedValues

_MAGIC = b"roborally-env-snapshot\n"


def pack_snapshot(form: str, own: Mapping[str, Any], inner: bytes) -> bytes:
    """A snapshot of an env of that action form."""
    body = json.dumps({"form": form, **own}).encode() + b"\n" + inner
    return _MAGIC + hashlib.sha256(body).digest() + body


def unpack_snapshot(form: str, snapshot: Any) -> tuple[NamedValues, bytes]:
    """The two parts of `pack_snapshot`, or a SnapshotError."""
    if not isinstance(snapshot, (bytes, bytearray, memoryview)) or not bytes(snapshot).startswith(_MAGIC):
        raise SnapshotError("snapshot: expected the bytes of snapshot() of such an env")
    rest = bytes(snapshot)[len(_MAGIC) :]
    digest, body = rest[:32], rest[32:]
    if hashlib.sha256(body).digest() != digest:
        raise SnapshotError("snapshot: damaged: its check sum does not fit; take it again")
    head, _, inner = body.partition(b"\n")
    own = snapshot_head(head)
    if own.get("form") != form:
        raise SnapshotError(f"snapshot: it was taken with action {cut(repr(own.get('form')))}, this env has {form!r}")
    return own, inner


def check_like(state: object, like: object, where: str = "state") -> None:
    """Raise a SnapshotError where a `state_dict` of an env has not the form of its own, `like`: other keys, types,
    shapes or dtypes."""
    if isinstance(like, Mapping):
        if not isinstance(state, Mapping):
            raise SnapshotError(f"{where}: expected what state_dict() gives, got {shown(state)}")
        if set(state) != set(like):
            raise SnapshotError(f"{where}: expected the keys {', '.join(like)}, got {cut(', '.join(map(str, state)))}")
        for name in like:
            check_like(state[name], like[name], f"{where}[{name!r}]")
    elif isinstance(like, np.ndarray):
        if not isinstance(state, np.ndarray) or (state.shape, state.dtype) != (like.shape, like.dtype):
            raise SnapshotError(f"{where}: expected an array {like.dtype} {like.shape}, got {shown(state)}")
    elif isinstance(like, (bytes, bool, list)) and not isinstance(state, type(like)):
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
