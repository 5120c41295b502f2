"""Tests of the page of Der fliegende Holländer."""
