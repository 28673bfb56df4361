"""Sharing out work in parts: over processes of this machine, or over a Ray cluster.

The work is the same for both (`work.Work`), and so are the results: a part is done as a whole by one worker, and what
it gives depends on the part alone.
"""

from roborally_env.executors.choosing import executor_for
from roborally_env.executors.work import Begun, Crew, Executor, WorkerLost, prepared

__all__ = ["Begun", "Crew", "Executor", "WorkerLost", "executor_for", "prepared"]
