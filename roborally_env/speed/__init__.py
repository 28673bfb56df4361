"""The committed benchmark. Each rate is the median of several interleaved runs, and is told as a ratio to a yardstick
that is timed beside it."""

from roborally_env.speed.comparing import Compared, compare
from roborally_env.speed.rows import Report, Row, machine, read_report
from roborally_env.speed.running import run

__all__ = ["Compared", "Report", "Row", "compare", "machine", "read_report", "run"]
