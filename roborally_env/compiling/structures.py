"""Values of numba's structures (arrays, most of all) that need no memory while they are made or read.

numba reads a part of a structure by a slot of the stack: it fills the slot with zeros, stores the whole, computes the
address of the part and loads it. To read one element of an array in a record it writes some forty instructions. They
are two thirds of all that is lowered, written as text, parsed, linked, and then removed by LLVM's first passes.

Here a structure is a list of known parts while the code goes straight on, which is exact: within one basic block what
is written first happens first. As soon as somebody asks for its address, or goes on in another block, the parts are
stored at the end of the block in which it was made, and from there on it is one of numba's own.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.np import arrayobj

_made_in_memory = cgutils._StructProxy.__init__
_loaded_part = cgutils._StructProxy.__getitem__
_stored_part = cgutils._StructProxy.__setitem__
_loaded = cgutils._StructProxy._getvalue
_stored = cgutils._StructProxy._setvalue
_packed = cgutils.pack_array


def begin(self: Any, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
    """A structure with a value, or without one: then its parts are set one after the other."""
    self._parts = None
    if ref is not None or type(self)._make_refs is not cgutils._StructProxy._make_refs:
        _made_in_memory(self, context, builder, value, ref)
        return
    self._context, self._builder = context, builder
    self._datamodel = context.data_model_manager[self._fe_type]
    self._be_type = self._get_be_type(self._datamodel)
    if value is not None and value.type != self._be_type:
        raise AssertionError(f"bad value type: expected {self._be_type}, got {value.type}")
    self._begun_in, self._whole, self._parts = builder.block, value, {}


def _parts_of(proxy: Any) -> Any:
    """The known parts by number, while no memory holds the structure; else None."""
    if proxy._parts is not None and proxy._builder.block is not proxy._begun_in:
        _put_into_memory(proxy)
    return proxy._parts


def _put_into_memory(proxy: Any) -> None:
    """Store what is known at the end of the block in which the structure was made."""
    builder, parts, whole = proxy._builder, proxy._parts, proxy._whole
    slot = cgutils.alloca_once(builder, proxy._be_type)
    proxy._parts = None
    proxy._value = proxy._outer_ref = slot
    if builder.block is proxy._begun_in:
        _store_known(proxy, parts, whole)
    else:
        with builder.goto_block(proxy._begun_in):
            _store_known(proxy, parts, whole)


def _store_known(proxy: Any, parts: dict[int, Any], whole: Any) -> None:
    if len(parts) < len(proxy._be_type.elements):
        proxy._builder.store(proxy._be_type(None) if whole is None else whole, proxy._value)
    for index, part in parts.items():
        _stored_part(proxy, index, part)


def slot_of(name: str) -> Any:
    """The address of a structure, as numba names it: who asks for it puts the structure into memory."""

    def get(self: Any) -> Any:
        if self._parts is not None:
            _put_into_memory(self)
        return vars(self)[name]

    def put(self: Any, slot: Any) -> None:
        vars(self)[name] = slot

    return property(get, put)


def part(self: Any, index: int) -> Any:
    """A part of the structure."""
    parts = _parts_of(self)
    if parts is None:
        return _loaded_part(self, index)
    if index not in parts:
        of = self._be_type.elements[index]
        parts[index] = of(None) if self._whole is None else taken_from(self._builder, self._whole, index)
    return parts[index]


def set_part(self: Any, index: int, value: Any) -> None:
    """Set a part of the structure."""
    if self._parts is not None and value.type != self._be_type.elements[index]:
        _put_into_memory(self)
    parts = _parts_of(self)
    if parts is None:
        _stored_part(self, index, value)
    else:
        parts[index] = value
        self._changed = True


def whole(self: Any) -> Any:
    """The whole structure, as a value."""
    parts = _parts_of(self)
    if parts is None:
        return _loaded(self)
    if self._whole is None or "_changed" in vars(self):
        self._whole = _built(self._builder, self._be_type, self._whole, parts)
        vars(self).pop("_changed", None)
    return self._whole


def set_whole(self: Any, value: Any) -> None:
    """Replace the whole structure."""
    if _parts_of(self) is None:
        _stored(self, value)
    else:
        assert value.type == self._be_type, (value.type, self._be_type)
        self._whole, self._parts = value, {}
        vars(self).pop("_changed", None)


def _built(builder: Any, of: Any, whole: Any, parts: dict[int, Any]) -> Any:
    """A structure with these parts; the others are those of `whole`, or zero. Constants need no instruction."""
    if whole is None or len(parts) == len(of.elements):
        known = [parts.get(i, element(None)) for i, element in enumerate(of.elements)]
        whole = ir.Constant(of, [p if _is_constant(p) else p.type(ir.Undefined) for p in known])
        parts = {i: p for i, p in parts.items() if not _is_constant(p)}
    else:
        known = None
    for index, each in parts.items():
        whole = builder.insert_value(whole, each, index)
    if known is not None:
        whole.known_parts = known
    return whole


def _is_constant(value: Any) -> bool:
    return type(value) is ir.Constant


def taken_from(builder: Any, whole: Any, index: int) -> Any:
    """A part of a value: the one that it was built from, if that is known."""
    known = getattr(whole, "known_parts", None)
    if known is None or known[index] is None:
        return builder.extract_value(whole, index)
    return known[index]


_model_get, _model_set = models.StructModel.get, models.StructModel.set


def get(self: Any, builder: Any, val: Any, pos: Any) -> Any:
    """A part of a value, for its model."""
    at = self.get_field_position(pos) if isinstance(pos, str) else pos
    known = getattr(val, "known_parts", None)
    return _model_get(self, builder, val, at) if known is None or known[at] is None else known[at]


def put(self: Any, builder: Any, stval: Any, val: Any, pos: Any) -> Any:
    """A value with another part, for its model."""
    at = self.get_field_position(pos) if isinstance(pos, str) else pos
    value = _model_set(self, builder, stval, val, at)
    known = getattr(stval, "known_parts", None)
    value.known_parts = [None] * self.field_count if known is None else list(known)
    value.known_parts[at] = val
    return value


def pack_array(builder: Any, values: Any, ty: Any = None) -> Any:
    """numba's array of equal parts, as the shape of an array."""
    if values and all(map(_is_constant, values)):
        packed = ir.Constant(ir.ArrayType(ty or values[0].type, len(values)), list(values))
    else:
        packed = _packed(builder, values, ty)
    if values:
        packed.known_parts = list(values)
    return packed


def unpack_tuple(builder: Any, tup: Any, count: Any = None) -> Any:
    """The parts of an aggregate."""
    return [taken_from(builder, tup, i) for i in range(len(tup.type.elements) if count is None else count)]


_array_structures: dict[Any, Any] = {}
_make_array = arrayobj.make_array


def make_array(array_type: Any) -> Any:
    """The structure of arrays of a type: one class for each, which asks for no conversion of what is an array."""
    if type(array_type) not in (types.Array, types.NestedArray):
        return _make_array(array_type)
    if array_type not in _array_structures:
        base = cgutils.create_struct_proxy(array_type)
        _array_structures[array_type] = type(f"Array_{array_type}", (base,), {})
    return _array_structures[array_type]
