"""Races to watch: the timeline of a race, and one HTML file that plays it.

    timeline = Timeline(batch, agents)      # a batch with frames=True, at its start
    while not batch.over.all():
        batch.step(...)
        timeline.step_done()
    timeline.header, timeline.chunks        # what the viewer plays

docs/watch.md describes their contents.
"""

from roborally_env.watch.header import header_of
from roborally_env.watch.page import asset, race_page
from roborally_env.watch.races import replay_page
from roborally_env.watch.timeline import Timeline
from roborally_env.web import json_for_html

__all__ = ["Timeline", "asset", "header_of", "json_for_html", "race_page", "replay_page"]
