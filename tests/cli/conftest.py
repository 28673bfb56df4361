"""Running the command line as a user does."""

import pytest

from roborally_env.cli import main
from tests.words_of_compiling import without_compiling


@pytest.fixture
def roborally(capsys):
    """Runs the command; gives its exit code, stdout and stderr, without what is said of compiling."""

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        out = capsys.readouterr()
        return ended.value.code, out.out, without_compiling(out.err)

    return run
