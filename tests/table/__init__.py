"""Tests of the server: people, tables, playing, clocks, computer players."""
