"""Tests of the rules of Der fliegende Holländer, H1 … H14."""
