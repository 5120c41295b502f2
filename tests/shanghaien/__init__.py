"""Tests of the rules of Shanghaien, S1 … S12."""
