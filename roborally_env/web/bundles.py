"""ES modules joined into one: each becomes a function that is called once, after those of the modules it imports.

It reads the forms that the web folder uses, and raises `BundleError` for all others:

    import { a, b as c } from "./file.js";
    export { a, b as c } from "./file.js";
    export const a = ..      export class A ..      export function a(..) ..      export async function a(..) ..

An exported value never changes after its module has run: what changes is behind a function (`shared/follow.js`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cache

from roborally_env.web.files import asset

_FROM = re.compile(r'^(import|export) \{([^{}]*)\} from "(\.{1,2}/[\w/.-]+\.js)";\n', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+)\b)", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as (\w+))?")
# what is left when the above are taken away
_OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\s*[.(].*|^await\b.*", re.MULTILINE)


class BundleError(ValueError):
    """A module of the web folder that cannot be joined with others."""


@cache
def bundle(entry: str) -> str:
    """The module of a path in the web folder (`watch/replay.js`) and all that it imports, as the text of one module."""
    return Bundle(asset).joined(entry)


class Bundle:
    """Modules joined in the order in which they run.

    Args:
        read: the text of the module of a path.
    """

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self._parts: dict[str, str] = {}  # by path
        self._exports: dict[str, list[str]] = {}

    def joined(self, entry: str) -> str:
        """The module of a path and all that it imports, as the text of one module with the exports of that one.

        Raises:
            BundleError: for a form of import or export that is not read, a name that its module does not export, and a
                circle of imports.
        """
        self._add(entry, ())
        exports = ", ".join(self._exports[entry])
        last = f"export const {{ {exports} }} = {_variable(entry)};\n" if exports else ""
        return "".join(self._parts.values()) + last

    def _add(self, path: str, above: tuple[str, ...]) -> None:
        """Add a module behind those that it imports; `above` are the modules that wait for it."""
        if path in above:
            raise BundleError(f"a circle of imports: {' -> '.join([*above[above.index(path) :], path])}")
        if path in self._parts:
            return
        text = self._read(path)
        exports: list[str] = []
        heads: list[str] = []
        for kind, names, target in _FROM.findall(text):
            source = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            self._add(source, (*above, path))
            pairs = self._pairs(path, source, names)
            heads.append(_import(pairs, source))
            exports += [own for _, own in pairs] if kind == "export" else []
        body = _FROM.sub("", text)
        exports += _DECLARED.findall(body)
        body = _DECLARED.sub("", body)
        if other := _OTHER.search(body):
            raise BundleError(f"{path}: cannot be joined: {other[0].strip()}")
        result = f"return {{ {', '.join(exports)} }};\n" if exports else ""
        self._parts[path] = f"const {_variable(path)} = (() => {{\n{''.join(heads)}{body}{result}}})();\n"
        self._exports[path] = exports

    def _pairs(self, path: str, source: str, names: str) -> list[tuple[str, str]]:
        """The names between the braces of an import: what each is called in `source`, and in the module of `path`."""
        pairs = []
        for name in filter(None, map(str.strip, names.split(","))):
            found = _NAME.fullmatch(name)
            if found is None:
                raise BundleError(f"{path}: expected `name` or `name as other` between the braces, got {name!r}")
            if found[1] not in self._exports[source]:
                raise BundleError(f"{path}: {source} does not export {found[1]!r}")
            pairs.append((found[1], found[2] or found[1]))
        return pairs


def _import(pairs: list[tuple[str, str]], source: str) -> str:
    names = ", ".join(name if name == own else f"{name}: {own}" for name, own in pairs)
    return f"const {{ {names} }} = {_variable(source)};\n" if pairs else ""


def _variable(path: str) -> str:
    """The variable of a module; no name of a module's own begins with `$`."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
