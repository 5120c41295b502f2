"""Tests of what people choose about their own moves."""
