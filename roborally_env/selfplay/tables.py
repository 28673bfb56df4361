"""From columns of numbers to Arrow tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from roborally_env.base.types import Array
from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.selfplay.schema import SCHEMA_VERSION, VARYING, Column

if TYPE_CHECKING:
    from pyarrow import Array as ArrowArray
    from pyarrow import DataType, Schema, Table


def arrow_schema(columns: Sequence[Column], lengths: Mapping[str, int]) -> Schema:
    """The Arrow schema of a table; `lengths` of its lists, see `schema`."""
    pa = import_pyarrow()
    fields = [pa.field(c.name, _type(pa, c, lengths), nullable=c.named == "answer") for c in columns]
    return pa.schema(fields, metadata={"roborally_schema": str(SCHEMA_VERSION)})


def _type(pa: ModuleType, column: Column, lengths: Mapping[str, int]) -> DataType:
    value = pa.string() if column.named else pa.from_numpy_dtype(np.dtype(column.dtype))
    if column.length in VARYING:
        return pa.list_(pa.field("element", value, nullable=False))
    if column.length:
        return pa.list_(pa.field("element", value, nullable=False), lengths[column.length])
    return pa.dictionary(pa.int16(), value) if column.named else value


def arrow_table(
    values: Mapping[str, Array], columns: Sequence[Column], texts: Mapping[str, Sequence[str]], schema: Schema
) -> Table:
    """Columns [n] or [n, length] as a table. `texts[column.named]` has the texts that its numbers stand for."""
    pa = import_pyarrow()
    arrays = [_array(pa, values[c.name], texts.get(c.named, ()), schema.field(c.name).type) for c in columns]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(pa: ModuleType, values: Array, texts: Sequence[str], wanted: DataType) -> ArrowArray:
    if values.dtype == object:
        return pa.array(list(values), wanted)
    flat = np.ascontiguousarray(values).reshape(-1)
    if pa.types.is_dictionary(wanted):
        return _named(pa, flat, texts)
    inner = pa.array(np.array(texts, object)[flat] if texts else flat)
    if pa.types.is_fixed_size_list(wanted):
        return pa.FixedSizeListArray.from_arrays(inner, type=wanted)
    if pa.types.is_list(wanted):
        offsets = np.arange(len(values) + 1, dtype=np.int32) * np.int32(values.shape[1])
        return pa.ListArray.from_arrays(pa.array(offsets), inner, type=wanted)
    return inner


def _named(pa: ModuleType, numbers: Array, texts: Sequence[str]) -> ArrowArray:
    """Text by number, with the texts that occur alone; null for -1."""
    used, places = np.unique(numbers, return_inverse=True)
    missing = int(used.size > 0 and used[0] < 0)
    indices = pa.array((places - missing).astype(np.int16), mask=numbers < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array([texts[n] for n in used[missing:]], pa.string()))
