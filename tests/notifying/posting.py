"""A process that posts like the real one, but to this machine, and trusts only the given certificate."""

from __future__ import annotations

import sys
from ssl import create_default_context

from kontor.notifying.posting import answer_posts
from kontor.notifying.public_https import Poster

if __name__ == "__main__":
    trusts = create_default_context(cafile=sys.argv[1])
    answer_posts(Poster(lambda: trusts, lambda host, port: ["127.0.0.1"], lambda address: True))
