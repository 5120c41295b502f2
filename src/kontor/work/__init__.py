"""Executors of work: this process alone, several processes of this machine, or a cluster."""

from kontor.work.executor import Executor, InProcess
from kontor.work.jobs import Jobs, executor_of
from kontor.work.local import LocalExecutor, WorkerLost

__all__ = ["Executor", "InProcess", "Jobs", "LocalExecutor", "WorkerLost", "executor_of"]
