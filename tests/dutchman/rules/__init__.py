"""Tests that bear the numbers of the rules of Der fliegende Holländer, in the order of the rulebook."""
