"""The editions of the package, in the order of preference where several have a course of one name."""

from roborally_env.base.registry import REGISTERED
from roborally_env.editions.community.edition import EDITION as COMMUNITY
from roborally_env.editions.e2005.edition import EDITION as E2005
from roborally_env.editions.e2016.edition import EDITION as E2016
from roborally_env.editions.e2023.edition import EDITION as E2023
from roborally_env.editions.registration import OWN, register

BUILT_IN = (E2016, E2005, COMMUNITY, E2023)


def register_all() -> None:
    """Register them."""
    OWN.update(edition.name for edition in BUILT_IN)
    for edition in BUILT_IN:
        if edition.name not in REGISTERED:  # where it was not interrupted
            register(edition)
