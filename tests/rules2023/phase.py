"""Upgrade phases: rounds that begin with one, in which everybody then just turns round once."""

from tests.rules.scene import Result, scene

SOLO = """
    +    +    +
      A^   .
    +    +    +
      .    .
    +    +    +
"""
PAIR = """
    +    +    +    +
      A^   .    .
    +    +    +    +
      .    .    B^
    +    +    +    +
"""


def phase(
    *answers: str, picture: str = SOLO, deck: str = "", discard: str = "", rounds: int = 1, order: str = "",
    rules=None, seed: int = 0, **mats,
) -> Result:  # fmt: skip
    """`phase("A draw_upgrade yes", deck="hack", A={"energy": 2})`: rounds with these answers.

    `deck` names the top of the upgrade deck, `discard` its discard pile; what robots have is written as in `scene`.
    """
    robots = scene(picture, rules, edition="2023", **mats)
    return robots.play_rounds(
        rounds, start="upgrade", upgrade_deck=deck, upgrade_discard=discard, answers=answers, order=order, seed=seed,
        **{name: ["u_turn"] for name in robots.names},
    )  # fmt: skip


def acts(result: Result) -> list[str]:
    """What was done in upgrade phases, in order: "A upgrade_drawn hack"."""
    kinds = ("upgrade_drawn", "installed", "uninstalled")
    return [
        f"{result.scene.names[event['robot']]} {event['kind']} {event['upgrade']}"
        for event in result.events
        if event["kind"] in kinds
    ]
