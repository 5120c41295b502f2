"""The path of a domain below which a server is reached, as in ``https://games.example/kontor``.

Inside the program all addresses begin at its own root: ``/tables/x``. The *base path*, ``/kontor`` or nothing, is
taken off as a request arrives, and written before our addresses as a response leaves: in pages and frames by
``rebase_html``, in headers and requests by ``web.http.base_path_middleware``, in cookies by ``web.http.sessions``.
Scripts find it by the address that they were loaded from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

BASE_PATH: Final = "kontor.base_path"
"""The key of a scope that holds the base path."""

ADDRESS_ATTRIBUTES: Final = (
    "href",
    "src",
    "action",
    "formaction",
    "data-icon",
    "data-live",
    "data-next",
    "data-passkey",
    "data-seen",
    "data-table",
    "data-texts",
)
"""The attributes of our pages that hold addresses of this server, with double quotes around them."""

_BEGINNING: Final = re.compile('="/(?:' + "|".join(f'(?<={name}="/)' for name in ADDRESS_ATTRIBUTES) + ")")
"""The beginning of an address of this server. The names come last, because ``="/`` is found fast."""


def base_path_in(address: str) -> str:
    """Return the base path of a server with this public address; empty if it is reached at the root of its host."""
    return urlsplit(address).path


def base_path_of(scope: object) -> str:
    """Return the base path of the server that a request came to."""
    base_path: str = cast("Mapping[str, Any]", scope).get(BASE_PATH, "")
    return base_path


def rebase_html(html: str, base_path: str) -> str:
    """Return HTML with the base path before all addresses of this server.

    Only our templates write a quotation mark: in text from people it is escaped.
    """
    return _BEGINNING.sub(f'="{base_path}/', html) if base_path else html
