"""What browsers load: pages, styles and scripts, without any library of the web.

shared   what draws a race, on every page that shows one
watch    the page that plays a race, the list of races, the card of a race
play     the start page, the page of a seat, and those that wait for something

All scripts are ES modules. A page that opens from disk cannot load modules from files, so `bundle` makes one of them.
"""

from roborally_env.web.bundles import bundle
from roborally_env.web.files import SERVED, asset, filled, json_for_html

__all__ = ["SERVED", "asset", "bundle", "filled", "json_for_html"]
