"""An agent that does not play every edition."""

from typing import Any

SPEC = "tests.stranger:Stranger"
REASON = "a stranger does not play by community rules"


class Stranger:
    """Refused before it is ever asked."""

    name = "stranger"
    needs_observation = False
    unknown_editions = {"community": REASON}  # noqa: RUF012

    def act(self, observations: Any, masks: Any, info: Any) -> Any:
        """See Agent.act."""
        raise AssertionError("it was asked")
