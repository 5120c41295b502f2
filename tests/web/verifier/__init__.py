"""Tests of ``docs/verify.html``: a second program, with the same verdicts as ``kontor verify``."""
