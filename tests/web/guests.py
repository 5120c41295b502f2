"""Browser without scripts: it keeps cookies, reads forms, and presses their buttons, as any browser would."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import httpx

from timeouts import HANG_TIMEOUT
from web.html_reader import HtmlReader

_OF_A_FORM = {"sec-fetch-site": "same-origin"}
"""The headers of a form that is sent from a page of the server."""

_TOKEN = re.compile(r'name="token" value="(\w+)"')

VOID = {"input", "meta", "link", "br", "img", "hr"}


@dataclass
class Button:
    """Button of a form, with the field that it sends when it is pressed."""

    form: Form
    id: str
    name: str
    value: str
    text: str = ""


@dataclass
class Form:
    """Form: its address, and its fields with their current values."""

    id: str
    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)


class _Contents(HtmlReader):
    """Forms of a page, and the words in each element that has an id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.words: defaultdict[str, list[str]] = defaultdict(list)
        self._open: list[tuple[str, str]] = []
        self._button: Button | None = None
        self._select: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        form = self._form_of(given)
        if tag not in VOID:
            self._open.append((tag, given.get("id", "")))
        if tag == "form":
            self.forms.append(Form(given.get("id", ""), given["method"], given["action"]))
        elif form and tag == "input" and given.get("name"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                form.fields[given["name"]] = given.get("value", "on" if given.get("type") == "checkbox" else "")
        elif form and tag == "select":
            self._select = given["name"]
        elif form and tag == "option" and self._select and ("selected" in given or self._select not in form.fields):
            form.fields[self._select] = given["value"]
        elif form and tag == "button" and given.get("type", "submit") == "submit" and "disabled" not in given:
            self._button = Button(form, given.get("id", ""), given.get("name", ""), given.get("value", ""))
            form.buttons.append(self._button)

    def _form_of(self, given: dict[str, str]) -> Form | None:
        """Return the form that a field or button names, or else the last one that has begun."""
        named = next((form for form in self.forms if form.id and form.id == given.get("form")), None)
        return named or (self.forms[-1] if self.forms else None)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "button":
            self._button = None
        if tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._button:
            self._button.text += data
        for _, id_ in self._open:
            if id_:
                self.words[id_].append(data)


class Page:
    """Response of the server, with its forms."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.status = answer.status_code
        self.html = answer.text
        self.path = answer.url.path

    @cached_property
    def _contents(self) -> _Contents:
        """Return the parsed page; it is parsed only on request, because that takes a while."""
        return _Contents(self.html)

    @property
    def forms(self) -> list[Form]:
        return self._contents.forms

    def text(self, id_: str) -> str:
        """Return the text of an element in one line, or an empty string if it doesn't exist."""
        return " ".join(" ".join(self._contents.words.get(id_, ())).split())

    def button(self, id_: str) -> Button:
        for form in self.forms:
            for button in form.buttons:
                if button.id == id_:
                    return button
        raise AssertionError(f"no button #{id_} on {self.path} ({self.status}): {self.text('main')[:500]}")

    def has(self, id_: str) -> bool:
        return f'id="{id_}"' in self.html

    @property
    def moves(self) -> list[Button]:
        """Return the buttons that make a move."""
        return [
            button for form in self.forms if form.action.endswith("/moves") for button in form.buttons if button.name
        ]


class Guest:
    """Person whose browser runs no scripts."""

    def __init__(self, address: str, name: str = "", **more: Any) -> None:
        """Open the browser, and enter the name if there is one; ``more`` is for its httpx.Client.

        The name is sent as the form on the first page sends it, with the token of a smaller page. To draw the first
        page, before and after, would take most of the time; ``test_opening.py`` and others press the button on it.
        """
        self.client = httpx.Client(base_url=address, follow_redirects=True, timeout=HANG_TIMEOUT, **more)
        self.name = name
        if name:
            token = _TOKEN.search(self.client.get("/return").text)
            assert token
            form = {"token": token[1], "next": "/", "name": name}
            entered = self.client.post("/name", data=form, headers=_OF_A_FORM, follow_redirects=False)
            assert entered.status_code == httpx.codes.SEE_OTHER, entered.text

    def get(self, path: str) -> Page:
        """Open a page."""
        return Page(self.client.get(path))

    def press(self, button: Button, /, **fields: str) -> Page:
        """Fill in fields and press the button; like a browser, send the origin of the form."""
        data = {**button.form.fields, **{name.replace("__", "-"): value for name, value in fields.items()}}
        if button.name:
            data[button.name] = button.value
        if button.form.method == "get":
            return Page(self.client.get(button.form.action, params=data))
        return self.post(button.form.action, data)

    def post(self, path: str, data: dict[str, str], **headers: str) -> Page:
        return Page(self.client.post(path, data=data, headers=_OF_A_FORM | headers))

    def close(self) -> None:
        """Close the browser; its cookies are lost."""
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_shanghaien(host: Guest, **fields: str) -> str:
    page = host.press(host.get("/open/shanghaien").button("open-it"), **({"tempo": "at once"} | fields))
    assert page.status == 200, page.text("refused")
    assert page.path.startswith("/tables/")
    return page.path


def seat_friend(host: Guest, friend: Guest, **fields: str) -> str:
    """Open a table of Shanghaien that the friend joins by a link; return its path."""
    path = open_shanghaien(host, **fields)
    page = host.press(host.get(path).button("invite-2"))
    link = page.forms  # the link stands in a field outside all forms
    del link
    address = page.html.split('id="link-2" readonly value="')[1].split('"')[0]
    arrived = friend.press(friend.get(httpx.URL(address).path).button("sit"), name=friend.name or "Bernd")
    assert arrived.path == path
    return path
