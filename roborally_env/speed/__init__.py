"""Measurements of speed. Each rate is the median of several interleaved runs, reported as a ratio to a yardstick
that is timed beside it."""

from roborally_env.speed.comparison import Compared, compare
from roborally_env.speed.rows import Report, Row, machine, read_report
from roborally_env.speed.runner import run

__all__ = ["Compared", "Report", "Row", "compare", "machine", "read_report", "run"]
