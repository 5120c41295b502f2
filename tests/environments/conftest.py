"""Where OpenSpiel is not installed, its tests are left out; test_missing.py says so."""

from __future__ import annotations

import os
from importlib.util import find_spec

NEED_IT = ["test_openspiel.py", "test_secrets.py", "test_speed.py"]
collect_ignore = [] if find_spec("pyspiel") or "CI" in os.environ else NEED_IT
