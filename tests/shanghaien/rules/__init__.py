"""Tests that bear the numbers of the rules of Shanghaien, in the order of the rulebook."""
