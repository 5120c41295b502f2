"""Tests of Der fliegende Holländer in batches."""
