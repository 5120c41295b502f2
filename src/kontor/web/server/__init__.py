"""Processes that serve: begun, watched, measured, ended."""
