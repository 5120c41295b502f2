"""Tests of the server: people, tables, playing, clocks, machine players."""
