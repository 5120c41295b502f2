"""``python -m kontor.web`` serves a house."""

import sys

from kontor.web.serve import main
from kontor.words import Words

sys.exit(main(sys.argv[1:], Words()))
