"""With a numba that whole programs are not compiled with, the tests of how they are compiled are left out."""

from roborally_env.compiling.keys import KNOWN_VERSION

collect_ignore = [] if KNOWN_VERSION else ["test_numba.py", "test_whole.py"]
