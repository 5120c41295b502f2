"""``python -m kontor.web`` serves a house."""

import sys

from kontor.web.serve import main

sys.exit(main(sys.argv[1:]))
