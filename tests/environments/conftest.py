"""Skips the tests of OpenSpiel where it is not installed; test_missing.py reports it."""

import os
from importlib.util import find_spec

NEED_IT = ["test_openspiel.py", "test_secrets.py", "test_speed.py"]
collect_ignore = [] if find_spec("pyspiel") or "CI" in os.environ else NEED_IT
