"""Running the command line as a user does."""

from tests.cli.conftest import roborally

__all__ = ["roborally"]
