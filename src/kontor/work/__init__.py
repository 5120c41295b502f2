"""Work done elsewhere: by processes of this machine, or by a cluster of several; or by nobody else."""

from kontor.work.executor import Executor, InProcess
from kontor.work.jobs import Jobs, executor_of
from kontor.work.local import LocalExecutor, WorkerLost

__all__ = ["Executor", "InProcess", "Jobs", "LocalExecutor", "WorkerLost", "executor_of"]
