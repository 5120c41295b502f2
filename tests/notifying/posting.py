"""A process that posts as the real one does, but to this machine, and trusts the one certificate it is given."""

from __future__ import annotations

import sys
from ssl import create_default_context

from kontor.notifying.posting import answer_posts
from kontor.notifying.public_https import Poster

if __name__ == "__main__":
    trusts = create_default_context(cafile=sys.argv[1])
    answer_posts(Poster(lambda: trusts, lambda host, port: ["127.0.0.1"], lambda address: True))
