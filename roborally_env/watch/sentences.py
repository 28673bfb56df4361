"""Sentences for events on the board; `words` has those for cards and all that robots own."""

from __future__ import annotations

from collections.abc import Sequence

from roborally_env.watch.causes import SHIFTING, Weapon, obstacle, weapon_of
from roborally_env.watch.state import Event

FACINGS = {"N": "north", "E": "east", "S": "south", "W": "west"}


class OnTheBoard:
    """A method for each kind of event, called with it and its context (see `words.Words`)."""

    word: str  # what a checkpoint is called
    many: int  # how many there are
    titles: dict[str, str]  # of cards
    used: list[Weapon]  # weapons that move robots, as far as used in this register

    # -- moving

    def _move(self, event: Event, context: Event) -> str:
        return f"{who(event)} moves to {at(event['to'])}."

    def _push(self, event: Event, context: Event) -> str:
        mover = next((e["robot"] for e in context["events"] if e["kind"] == "move"), None)
        if mover is None:
            return self._shift(event, context)
        return f"{who(event)} is pushed by {{{mover}}} from {at(event['from'])} to {at(event['to'])}."

    def _shift(self, event: Event, context: Event) -> str:
        found = weapon_of(event, context["robots"], self.used)
        how = "pushed" if found is None else f"{SHIFTING[found[1]]} by {{{found[0]}}} with its {self.titles[found[1]]}"
        return f"{who(event)} is {how} from {at(event['from'])} to {at(event['to'])}."

    def _panel(self, event: Event, context: Event) -> str:
        return f"A push panel pushes {who(event)} from {at(event['from'])} to {at(event['to'])}."

    def _teleport(self, event: Event, context: Event) -> str:
        return f"{who(event)} teleports from {at(event['from'])} to {at(event['to'])}."

    def _belt(self, event: Event, context: Event) -> str:
        return f"The belt carries {who(event)} from {at(event['from'])} to {at(event['to'])}."

    def _turn(self, event: Event, context: Event) -> str:
        quarters = ("NESW".index(event["facing"]) - "NESW".index(event["facing_from"])) % 4
        way = ("nowhere", "right", "around", "left")[quarters]
        return f"{who(event)} turns {way} and faces {FACINGS[event['facing']]}."

    def _gear(self, event: Event, context: Event) -> str:
        return f"The gear turns {who(event)} to face {FACINGS[event['facing']]}."

    def _blocked(self, event: Event, context: Event) -> str:
        by = obstacle(event, context["robots"], context["ground"]())
        return f"{who(event)} is blocked at {at(event['cell'])} by {by}."

    def _fall(self, event: Event, context: Event) -> str:
        if event["pit"]:
            return f"{who(event)} falls into the pit at {at(event['pit'])}."
        return f"{who(event)} falls off the board from {at(event['from'])}."

    def _reboot(self, event: Event, context: Event) -> str:
        return f"{who(event)} reboots."

    def _placed(self, event: Event, context: Event) -> str:
        return f"{who(event)} is placed on {at(event['cell'])}, facing {FACINGS[event['facing']]}."

    # -- lasers and damage

    def _board_laser(self, event: Event, context: Event) -> str:
        beams = f" with {event['beams']} beams" if event["beams"] > 1 else ""
        return f"The laser at {at(event['laser'])} hits {who(event)}{beams}."

    def _robot_laser(self, event: Event, context: Event) -> str:
        return f"{{{event['shooter']}}} shoots {who(event)}."

    def _rear_laser(self, event: Event, context: Event) -> str:
        return f"{{{event['shooter']}}} shoots {who(event)} with its rear laser."

    def _repaired(self, event: Event, context: Event) -> str:
        left = f"{event['damage']} damage left" if event["damage"] else "no damage left"
        return f"{who(event)} is repaired: {left}."

    def _locked(self, event: Event, context: Event) -> str:
        return f"Register {event['register']} of {who(event)} is locked."

    def _destroyed(self, event: Event, context: Event) -> str:
        lives = event["lives"]
        left = f"{lives} {'life' if lives == 1 else 'lives'} left" if lives else "out of the race"
        return f"{who(event)} is destroyed: {left}."

    def _archive(self, event: Event, context: Event) -> str:
        return f"{who(event)} moves its archive marker to {at(event['cell'])}."

    def _announced(self, event: Event, context: Event) -> str:
        return f"{who(event)} announces a power down."

    def _powered_down(self, event: Event, context: Event) -> str:
        return f"{who(event)} is powered down."

    def _controlled(self, event: Event, context: Event) -> str:
        return f"{who(event)} plays the program of {{{event['controller']}}} from now on."

    def _sent_home(self, event: Event, context: Event) -> str:
        return f"{who(event)} is sent home by {{{event['sender']}}}."

    # -- the community edition

    def _ledge(self, event: Event, context: Event) -> str:
        levels = event["levels"]
        return f"{who(event)} falls down {levels} level{'s' * (levels != 1)} to {at(event['cell'])}."

    def _button(self, event: Event, context: Event) -> str:
        return f"{who(event)} presses the button at {at(event['cell'])}."

    def _ramp(self, event: Event, context: Event) -> str:
        return f"The ramp at {at(event['cell'])} is switched {'on' if event['on'] else 'off'}."

    def _slide(self, event: Event, context: Event) -> str:
        return f"{who(event)} slides down the ramp from {at(event['from'])} to {at(event['to'])}."

    def _trapdoor(self, event: Event, context: Event) -> str:
        return f"The trapdoor at {at(event['cell'])} opens under {who(event)}."

    def _stomped(self, event: Event, context: Event) -> str:
        return f"The stomper at {at(event['cell'])} hits {who(event)}."

    def _radiation(self, event: Event, context: Event) -> str:
        return f"{who(event)} ends the round in radiation."

    def _lost(self, event: Event, context: Event) -> str:
        return f"{who(event)} is destroyed."

    def _virtual(self, event: Event, context: Event) -> str:
        return f"{who(event)} shares its space, so it is in virtual mode."

    def _real(self, event: Event, context: Event) -> str:
        return f"{who(event)} is alone on its space and leaves virtual mode."

    def _finished(self, event: Event, context: Event) -> str:
        place = {1: "first", 2: "second", 3: "third"}.get(event["place"], f"{event['place']}th")
        return f"{who(event)} reaches the goal {place} and leaves the board."

    # -- checkpoints

    def _checkpoint(self, event: Event, context: Event) -> str:
        return f"{who(event)} reaches {self.word} {event['number']} of {self.many}."

    def _checkpoint_moved(self, event: Event, context: Event) -> str:
        what = f"{self.word.capitalize()} {event['number']}"
        return f"{what} is carried to {at(event['to'])}." if event["to"] else f"{what} falls off the board."

    def _flag_taken(self, event: Event, context: Event) -> str:
        return f"{who(event)} takes {self.word} {event['number']}."

    def _flag_dropped(self, event: Event, context: Event) -> str:
        return f"{self.word.capitalize()} {event['number']} is dropped on {at(event['cell'])}."

    def _claimed(self, event: Event, context: Event) -> str:
        return f"{who(event)} claims {self.word} {event['number']}."

    def _board_turned(self, event: Event, context: Event) -> str:
        return f"{who(event)} turns the board beneath it a quarter turn to the right."


def who(event: Event) -> str:
    return f"{{{event['robot']}}}"


def at(cell: Sequence[int]) -> str:
    return f"{cell[0]},{cell[1]}"
