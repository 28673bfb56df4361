"""Events as sentences. Robots are written as {0}, {1} .., which the page replaces by names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from roborally_env.cards.listing import list_cards
from roborally_env.watch.causes import SHIFTING, Weapon
from roborally_env.watch.sentences import OnTheBoard, who
from roborally_env.watch.state import Event

ACROSS_THE_HAND = frozenset({"draw", "deal"})
BY_DAMAGE = frozenset({"locked", "replaced", "lost"})  # told after the damage that led to it
Sees = Callable[[int], bool]


class Words(OnTheBoard):
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
        tells = [getattr(self, f"_{event['kind']}", None) for event in events]
        told = [tell(event, context) for tell, event in zip(tells, events, strict=True) if tell is not None]
        return [sentence for sentence in told if sentence]

    def title(self, card: str | None) -> str:
        """A card as printed; program cards of 2005 with their priority number."""
        name, _, number = (card or "").partition(":")
        title = self.titles.get(name, name.replace("_", " "))
        return f"{title} ({number})" if number else title

    # -- what several events tell together

    def _hands(self, events: Sequence[Event], context: Event) -> list[str]:
        """One sentence about who got how many cards, with names for the cards that the reader sees."""
        drawn = Counter(event["robot"] for event in events if event["kind"] in ACROSS_THE_HAND)
        if not drawn or context["register"]:
            return []
        by_count: dict[int, list[str]] = {}
        for seat in sorted(drawn):
            by_count.setdefault(drawn[seat], []).append(f"{{{seat}}}")
        dealt = any(event["kind"] == "deal" for event in events)
        told = [_got(robots, n, dealt=dealt) for n, robots in by_count.items()]
        return ["; ".join(told) + "."]

    def _programs(self, events: Sequence[Event], context: Event) -> list[str]:
        """The program that each robot lays, and the cards dealt face up into locked registers (community edition)."""
        laid: dict[int, list[str]] = {}
        dealt = []
        for event in events:
            if event["kind"] == "program":
                title = self.title(event["card"])
                if event["register"] in context.get("dealt", {}).get(event["robot"], ()):
                    dealt.append(f"{who(event)} is dealt {title} into its locked register {event['register']}.")
                else:
                    laid.setdefault(event["robot"], []).append(title)
        return dealt + [
            f"{{{seat}}} programs {', '.join(cards)}." if self.sees(seat) else f"{{{seat}}} programs its registers."
            for seat, cards in laid.items()
        ]

    # -- cards

    def _round(self, event: Event, context: Event) -> str:
        return f"Round {event['round']}"

    def _register(self, event: Event, context: Event) -> str:
        return f"Register {event['register']}"

    def _draw(self, event: Event, context: Event) -> str:
        if not context["register"]:
            return ""
        hidden = context["kind"] == "scrambled" and not self.sees(event["robot"])
        return f"{who(event)} draws {'a card' if hidden else self.title(event['card'])} from its deck."

    def _shuffle(self, event: Event, context: Event) -> str:
        return f"{who(event)} shuffles {_cards(event['cards'])} into its deck." if "robot" in event else ""

    def _card(self, event: Event, context: Event) -> str:
        card, action = event["card"], event["action"]
        if action == card:
            return f"{who(event)} plays {self.title(card)}."
        if action == "none":
            return f"{who(event)} plays {self.title(card)}, which repeats nothing."
        return f"{who(event)} plays {self.title(card)}: {self.title(action)}."

    def _play(self, event: Event, context: Event) -> str:
        second = f" with {self.title(event['second_card'])}" if event.get("second_card") else ""
        return f"{who(event)} plays {self.title(event['card'])}{second}."

    def _idle(self, event: Event, context: Event) -> str:
        return f"{who(event)} has nothing to play."

    def _discard(self, event: Event, context: Event) -> str:
        hidden = context["kind"] == "scrambled" and not self.sees(event["robot"])
        return f"{who(event)} discards {'a card' if hidden else self.title(event['card'])}."

    def _returned(self, event: Event, context: Event) -> str:
        return f"{who(event)} returns {self.title(event['card'])} to the box."

    def _top(self, event: Event, context: Event) -> str:
        card = self.title(event["card"]) if self.sees(event["robot"]) else "a card"
        return f"{who(event)} puts {card} on top of its deck."

    def _replaced(self, event: Event, context: Event) -> str:
        shown = self.sees(event["robot"]) or event["register"] <= context["register"] or context["kind"] == "locked"
        card = self.title(event["card"]) if shown and event.get("card") else "another card"
        return f"{who(event)} gets {card} in register {event['register']}."

    def _refreshed(self, event: Event, context: Event) -> str:
        return f"{who(event)} turns its {self.title(event['card'])} into {self.title(event['action'])}."

    # -- energy, upgrades, options

    def _energy(self, event: Event, context: Event) -> str:
        if not event["cubes"]:
            return f"{who(event)} gains no energy: its track is full."
        return f"{who(event)} gains {event['cubes']} energy."

    def _shop(self, event: Event, context: Event) -> str:
        return f"{self.title(event['upgrade'])} is for sale."

    def _gone(self, event: Event, context: Event) -> str:
        does = f"{who(event)} gives up" if "robot" in event else "The shop discards"
        return f"{does} {self.title(event['upgrade'])}."

    def _buy(self, event: Event, context: Event) -> str:
        return f"{who(event)} buys {self.title(event['upgrade'])} for {event['cubes']} energy."

    def _use(self, event: Event, context: Event) -> str:
        return f"{who(event)} uses {self.title(event['upgrade'])}."

    def _handed(self, event: Event, context: Event) -> str:
        return f"{who(event)} takes {self.title(event['upgrade'])} from {{{event['giver']}}}."

    def _upgrade_drawn(self, event: Event, context: Event) -> str:
        card = self.title(event["upgrade"]) if self.sees(event["robot"]) else "an upgrade"
        return f"{who(event)} draws {card} for 1 energy."

    def _installed(self, event: Event, context: Event) -> str:
        return f"{who(event)} installs {self.title(event['upgrade'])} for {event['cubes']} energy."

    def _uninstalled(self, event: Event, context: Event) -> str:
        return f"{who(event)} discards its {self.title(event['upgrade'])}."

    def _upgrades_shuffled(self, event: Event, context: Event) -> str:
        return f"The upgrade discard pile is shuffled into a new deck: {_cards(event['cards'])}."

    def _option(self, event: Event, context: Event) -> str:
        return f"{who(event)} gets the option {self.title(event['option'])}."

    def _option_gone(self, event: Event, context: Event) -> str:
        return f"{who(event)} loses {self.title(event['option'])}."

    def _option_used(self, event: Event, context: Event) -> str:
        return f"{who(event)} uses {self.title(event['option'])}."

    def _protected(self, event: Event, context: Event) -> str:
        return f"{self.title(event['option'])} protects {who(event)}."

    def _superbot(self, event: Event, context: Event) -> str:
        return f"{who(event)} is the SuperBot now."


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
        f"{{{seat}}} takes {_joined([f'{n} {card}' for card, n in kinds.items()])}." for seat, kinds in cards.items()
    ]
    return taken + [f"{{{seat}}} has {count} damage." for seat, count in tokens.items()]


def plain(sentence: str, names: Sequence[str]) -> str:
    """A sentence with the names of the robots in it."""
    return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])], sentence)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _got(robots: Sequence[str], count: int, *, dealt: bool) -> str:
    """How many cards some robots draw, or are dealt."""
    many = len(robots) > 1
    does = ("are dealt" if many else "is dealt") if dealt else ("draw" if many else "draws")
    return f"{_joined(robots)} {does} {_cards(count)}{' each' * many}"


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"
