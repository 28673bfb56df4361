"""The browser of the tests in this folder."""

from tests.browser import browser as browser
from tests.browser import page as page
