"""Tests of moves given ahead."""
