"""`register` and `unregister`."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from types import ModuleType

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.registry import REGISTERED, forget
from roborally_env.core.rule_options import check_edition
from roborally_env.core.state import KINDS
from roborally_env.courses import model, tables
from roborally_env.courses.tile_kinds import add_tile, check_tile, remove_tile
from roborally_env.editions.edition import Edition
from roborally_env.generated.style import STYLES, usual_style

OWN: set[str] = set()  # the names of the editions of the package
_undoing: dict[str, ExitStack] = {}  # by edition: what `unregister` does


def register(edition: Edition) -> None:
    """Register an edition for `edition=` of all environments, and for courses, cards, scenarios and commands.

    Raises a RoboRallyError, and registers nothing, if a name or a tile's token is taken, a kind of record belongs to
    another edition, or an override matches no rule.
    """
    REGISTERED.filled()
    _check(edition)
    with ExitStack() as undo:
        undo.callback(forget)
        _add(edition, undo)
        forget()
        _undoing[edition.name] = undo.pop_all()


def unregister(name: str) -> None:
    """Remove an edition that was registered from outside, for example to register a new version in a notebook.

    Its compiled code stays in this process, so a new kind of record of the same name must have the same rules. Raises
    a RoboRallyError for an unknown or built-in edition.
    """
    if not is_from_outside(name):
        raise RoboRallyError(f"edition {name!r}: not registered from outside, so it cannot be taken back")
    _undoing.pop(name).close()


def is_from_outside(name: str) -> bool:
    """Whether an edition is registered that is not one of the package."""
    return name in REGISTERED and name not in OWN


def edition_of(name: str) -> Edition:
    """The registered edition of a name; raises a RoboRallyError for an unknown one."""
    found: Edition = REGISTERED[check_edition(name)]
    return found


def _add(edition: Edition, undo: ExitStack) -> None:
    """Register all parts of a checked edition, and note how each is undone."""
    courses = edition.courses._replace(kinds=edition.courses.kinds | {tile.name for tile in edition.tiles})
    generated = edition.generated
    if generated is None and not any(name in STYLES for name in courses.borrows):
        generated = usual_style(courses)
    kind_of = edition.kind_of or (lambda values: str(edition.kinds_now[0][0].name))
    REGISTERED[edition.name] = dataclasses.replace(
        edition,
        courses=courses,
        generated=generated,
        kind_of=kind_of,
        cards=edition.cards or (lambda: _compiled().usual_cards(edition)),
        new_cards=edition.new_cards or (lambda: _compiled().own_upgrades(edition)),
    )
    undo.callback(REGISTERED.__delitem__, edition.name)
    for tile in edition.tiles:
        add_tile(tile)
        undo.callback(remove_tile, tile)
    if edition.name in OWN:
        KINDS.later(lambda: _add_later(edition))
    else:
        _add_compiled(edition, undo)


def _add_later(edition: Edition) -> None:
    """`_add_compiled` for a registered edition."""
    with ExitStack() as undo:
        _add_compiled(edition, undo)
        _undoing[edition.name].enter_context(undo.pop_all())


def _add_compiled(edition: Edition, undo: ExitStack) -> None:
    """Register the parts that need compiled code, which takes long to import."""
    compiled = _compiled()
    compiled.check_compiled(edition)
    compiled.add_compiled(edition, undo)


def _compiled() -> ModuleType:
    from roborally_env.editions import compiled

    return compiled


def _check(edition: Edition) -> None:
    """Raise a RoboRallyError for a part that cannot be registered."""
    name = edition.name
    if not name.isidentifier() and not name.isalnum():
        raise RoboRallyError(f"edition: expected a name of letters, digits and _, got {name!r}")
    if name in REGISTERED:
        raise RoboRallyError(f"edition {name!r}: there is one of this name")
    for i, tile in enumerate(edition.tiles):
        check_tile(tile, edition.tiles[:i])
        if tile.dtype and tile.name in (tables.COURSE_DTYPE.names or ()):
            raise RoboRallyError(f"tile {tile.name!r}: the tables of courses have a field of this name")
        for color in tile.colors:
            if not color.startswith(tile.name.replace("_", "-")):
                raise RoboRallyError(f"tile {tile.name!r}: the names of its colours begin with its own, got {color!r}")
        if tile.over not in model.KINDS:
            raise RoboRallyError(f"tile {tile.name!r}: over: unknown kind {tile.over!r}")
    for borrowed in edition.courses.borrows:
        if borrowed not in REGISTERED:
            raise RoboRallyError(f"edition {name!r}: borrows from {borrowed!r}, which is no edition")
