"""The contexts that pages of all kinds share."""

from __future__ import annotations

from typing import ClassVar

from kontor.web.pages.previews import Preview
from kontor.web.pages.refused import Refused
from kontor.web.pages.template_context import TemplateContext


class WholePage(TemplateContext, frozen=True, kw_only=True):
    """The context of a page that extends ``base.html``."""

    preview: Preview | None = None
    """The preview that chats and other sites show beside a link to the page."""


class RefusedForm(TemplateContext, frozen=True, kw_only=True):
    """The context of ``refused.html`` alone: our script shows it beside the form."""

    template: ClassVar = "refused.html"

    refused: Refused


class OfflinePage(WholePage, frozen=True, kw_only=True):
    """The context of the page that a browser shows without a connection."""

    template: ClassVar = "offline.html"
