"""Tests of the house: people, tables, playing, clocks, machine players."""
