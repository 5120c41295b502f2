"""Icons at the addresses that browsers and link previews try unasked: no page has to name them."""

from __future__ import annotations

import struct
from typing import Final

from litestar import Response, get

from kontor.web.http.site import Site, TheSite

_A_DAY: Final = {"cache-control": "public, max-age=86400"}

_ICO_HEAD: Final = struct.Struct("<HHHBBBBHHLL")
_ICO_SIZE: Final = 192
"""Width and height of the picture in pixels."""


def ico_of(png: bytes) -> bytes:
    """Return the picture as an icon file, which may hold a PNG unchanged."""
    head = (0, 1, 1, _ICO_SIZE, _ICO_SIZE, 0, 0, 1, 32, len(png), _ICO_HEAD.size)
    return _ICO_HEAD.pack(*head) + png


@get("/favicon.ico", sync_to_thread=False)
def favicon(site: TheSite) -> Response[bytes]:
    """Return the icon of the site."""
    return Response(ico_of(_png(site, "icon-192.png")), media_type="image/vnd.microsoft.icon", headers=_A_DAY)


@get(["/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"], sync_to_thread=False)
def touch_icon(site: TheSite) -> Response[bytes]:
    """Return the icon for the home screen of a phone."""
    return Response(_png(site, "icon-maskable.png"), media_type="image/png", headers=_A_DAY)


def _png(site: Site, name: str) -> bytes:
    asset = site.pages.assets.get(name)
    assert asset
    return asset.plain


ROUTES = (favicon, touch_icon)
