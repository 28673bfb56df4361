"""The mechanics of boards, robots and cards that all editions share."""
