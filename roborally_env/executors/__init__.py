"""Sharing out work in parts: over processes of this machine, or over a Ray cluster.

The work is the same for both (`work.Work`), and so are the results: a part is done as a whole by one worker, and what
it gives depends on the part alone.
"""

from roborally_env.executors.choice import executor_for
from roborally_env.executors.work import Executor, PartialResult, WorkerLost, WorkerPool, prepared

__all__ = ["Executor", "PartialResult", "WorkerLost", "WorkerPool", "executor_for", "prepared"]
