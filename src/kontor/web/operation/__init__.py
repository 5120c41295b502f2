"""Tools for operators of a server: metrics, the log, and readiness."""
