"""Tests of the page of Shanghaien."""
