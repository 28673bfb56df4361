"""Events as sentences. Robots are written as {0}, {1} .., which the page replaces by names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from roborally_env.base.text import joined
from roborally_env.base.texts import read_texts
from roborally_env.base.types import Json, JsonObject
from roborally_env.cards.listing import list_cards
from roborally_env.watch.causes import SHIFTING, Weapon, obstacle, weapon_of
from roborally_env.watch.state import Event

ACROSS_THE_HAND = frozenset({"draw", "deal"})
BY_DAMAGE = frozenset({"locked", "replaced", "lost"})  # after the damage that led to it
FACINGS = {"N": "north", "E": "east", "S": "south", "W": "west"}
SENTENCES = read_texts(Path(__file__).with_name("sentences.toml"))["event"]
_ROBOTS = frozenset({"robot", "shooter", "giver", "controller", "sender"})  # fields that are robots
_TITLED = frozenset({"card", "second_card", "action", "upgrade", "option"})  # fields that are cards
Sees = Callable[[int], bool]


class Words:
    """Sentences for the events of one edition.

    Args:
        edition: its name; community races have words of their own.
        word: what a checkpoint is called.
        many: how many there are.
        sees: whether the reader sees the hidden cards of a robot.
    """

    def __init__(self, edition: str, word: str, many: int, sees: Sees) -> None:
        self.word, self.many, self.sees = word, many, sees
        self.titles = {card.name: card.title for card in list_cards(edition)}
        self.used: list[Weapon] = []

    def of(self, events: Sequence[Event], context: Event) -> list[str]:
        """The sentences of a moment. `context` has its `register` and `kind`, the registers `dealt` to, the `robots`
        before it, and `ground`, which gives the course's tables."""
        context = context | {"events": events}
        self._note(events)
        first = self._each([event for event in events if event["kind"] not in BY_DAMAGE], context)
        last = self._each([event for event in events if event["kind"] in BY_DAMAGE], context)
        cards = [*self._hands(events, context), *self._programs(events, context)]
        return [*cards, *first, *_damage(events, self.titles), *last]

    def _note(self, events: Sequence[Event]) -> None:
        """Keep which weapons that move robots are used in a register."""
        for event in events:
            if event["kind"] in ("round", "register"):
                self.used = []
            weapon = event.get("upgrade") if event["kind"] == "use" else event.get("option")
            if event["kind"] in ("use", "option_used") and weapon in SHIFTING:
                self.used.append((event["robot"], weapon))

    def _each(self, events: Sequence[Event], context: Event) -> list[str]:
        """One sentence for each event that has one."""
        return [sentence for event in events if (sentence := self._sentence(event, context))]

    def _sentence(self, event: Event, context: Event) -> str:
        """The sentence of an event; empty if it has none."""
        kind = event["kind"]
        found = _PICKS[kind](self, event, context) if kind in _PICKS else kind
        key, more = (found, {}) if isinstance(found, str) else found
        if key not in SENTENCES:
            return ""
        shown = {name: self._shown(name, value) for name, value in event.items()}
        word = {"word": self.word, "Word": self.word.capitalize(), "many": self.many}
        return SENTENCES[key].format(**{**word, **shown, **more})

    def _shown(self, name: str, value: Json) -> str:
        """A field of an event in a sentence."""
        if name in _ROBOTS:
            return f"{{{value}}}"
        if name in _TITLED:
            return self.title(value)
        if name == "cards":
            return _cards(value)
        if isinstance(value, (list, tuple)):
            return f"{value[0]},{value[1]}"
        return str(FACINGS.get(value, value) if name == "facing" else value)

    def title(self, card: str | None) -> str:
        """A card as printed; program cards of 2005 with their priority number."""
        name, _, number = (card or "").partition(":")
        title = self.titles.get(name, name.replace("_", " "))
        return f"{title} ({number})" if number else title

    # -- sentences about several events

    def _hands(self, events: Sequence[Event], context: Event) -> list[str]:
        """One sentence about who got how many cards, with names for the cards that the reader sees."""
        drawn = Counter(event["robot"] for event in events if event["kind"] in ACROSS_THE_HAND)
        if not drawn or context["register"]:
            return []
        by_count: dict[int, list[str]] = {}
        for seat in sorted(drawn):
            by_count.setdefault(drawn[seat], []).append(f"{{{seat}}}")
        dealt = any(event["kind"] == "deal" for event in events)
        parts = [_got(robots, n, dealt=dealt) for n, robots in by_count.items()]
        return ["; ".join(parts) + "."]

    def _programs(self, events: Sequence[Event], context: Event) -> list[str]:
        """The program of each robot, and the cards dealt face up into locked registers (community edition)."""
        programs: dict[int, list[str]] = {}
        dealt = []
        for event in events:
            if event["kind"] == "program":
                title = self.title(event["card"])
                if event["register"] in context.get("dealt", {}).get(event["robot"], ()):
                    dealt.append(f"{{{event['robot']}}} is dealt {title} into its locked register {event['register']}.")
                else:
                    programs.setdefault(event["robot"], []).append(title)
        return dealt + [
            f"{{{seat}}} programs {', '.join(cards)}." if self.sees(seat) else f"{{{seat}}} programs its registers."
            for seat, cards in programs.items()
        ]


# kind of event -> the sentence that it gets, with what the sentence names beside the event's own fields; "": none
_Picked = str | tuple[str, JsonObject]
_Picks = Callable[[Words, Event, Event], _Picked]


def _of_card(words: Words, event: Event, context: Event) -> _Picked:
    if event["action"] == event["card"]:
        return "card"
    return "card_none" if event["action"] == "none" else "card_action"


def _of_draw(words: Words, event: Event, context: Event) -> _Picked:
    return _scrambled(words, event, context) if context["register"] else ""


def _scrambled(words: Words, event: Event, context: Event) -> _Picked:
    hidden = context["kind"] == "scrambled" and not words.sees(event["robot"])
    return f"{event['kind']}_hidden" if hidden else event["kind"]


def _if_seen(words: Words, event: Event, context: Event) -> _Picked:
    return event["kind"] if words.sees(event["robot"]) else f"{event['kind']}_hidden"


def _of_replaced(words: Words, event: Event, context: Event) -> _Picked:
    shown = words.sees(event["robot"]) or event["register"] <= context["register"] or context["kind"] == "locked"
    return "replaced" if shown and event.get("card") else "replaced_hidden"


def _of_push(words: Words, event: Event, context: Event) -> _Picked:
    mover = next((e["robot"] for e in context["events"] if e["kind"] == "move"), None)
    return _of_shift(words, event, context) if mover is None else ("push", {"mover": f"{{{mover}}}"})


def _of_shift(words: Words, event: Event, context: Event) -> _Picked:
    found = weapon_of(event, context["robots"], words.used)
    if found is None:
        return "shift"
    shooter, weapon = found
    return f"shift_by_{SHIFTING[weapon]}", {"shooter": f"{{{shooter}}}", "weapon": words.title(weapon)}


def _of_turn(words: Words, event: Event, context: Event) -> _Picked:
    return f"turn_{('NESW'.index(event['facing']) - 'NESW'.index(event['facing_from'])) % 4}"


def _of_blocked(words: Words, event: Event, context: Event) -> _Picked:
    return "blocked", {"obstacle": obstacle(event, context["robots"], context["ground"]())}


def _by_number(field: str, few: int) -> _Picks:
    """A function that picks a sentence of its own for numbers up to `few` of a field."""
    return lambda words, event, context: f"{event['kind']}_{event[field]}" if event[field] <= few else event["kind"]


_PICKS: dict[str, _Picks] = {
    "card": _of_card, "draw": _of_draw, "discard": _scrambled, "top": _if_seen, "upgrade_drawn": _if_seen,
    "replaced": _of_replaced, "push": _of_push, "shift": _of_shift, "turn": _of_turn, "blocked": _of_blocked,
    "destroyed": _by_number("lives", 1), "ledge": _by_number("levels", 1), "finished": _by_number("place", 3),
    "energy": _by_number("cubes", 0),
    "shuffle": lambda words, event, context: "shuffle" if "robot" in event else "",
    "play": lambda words, event, context: "play_two" if event.get("second_card") else "play",
    "gone": lambda words, event, context: "gone_robot" if "robot" in event else "gone",
    "fall": lambda words, event, context: "fall_pit" if event["pit"] else "fall",
    "board_laser": lambda words, event, context: "board_laser_beams" if event["beams"] > 1 else "board_laser",
    "repaired": lambda words, event, context: "repaired" if event["damage"] else "repaired_all",
    "ramp": lambda words, event, context: "ramp_on" if event["on"] else "ramp_off",
    "checkpoint_moved": lambda words, event, context: "checkpoint_moved" if event["to"] else "checkpoint_lost",
}  # fmt: skip


def _damage(events: Sequence[Event], titles: dict[str, str]) -> list[str]:
    """The damage taken in a moment, one sentence for each robot."""
    cards: dict[int, Counter[str]] = {}
    tokens: dict[int, int] = {}
    for event in events:
        if event["kind"] == "damage":
            cards.setdefault(event["robot"], Counter())[titles[event["card"]]] += 1
        elif event["kind"] in ("token", "hurt"):
            tokens[event["robot"]] = event["damage"]
    taken = [
        f"{{{seat}}} takes {joined([f'{n} {card}' for card, n in kinds.items()])}." for seat, kinds in cards.items()
    ]
    return taken + [f"{{{seat}}} has {count} damage." for seat, count in tokens.items()]


def plain(sentence: str, names: Sequence[str]) -> str:
    """A sentence with the names of the robots in it."""
    return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])], sentence)


def _got(robots: Sequence[str], count: int, *, dealt: bool) -> str:
    """How many cards some robots draw, or are dealt."""
    many = len(robots) > 1
    does = ("are dealt" if many else "is dealt") if dealt else ("draw" if many else "draws")
    return f"{joined(robots)} {does} {_cards(count)}{' each' * many}"


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"
