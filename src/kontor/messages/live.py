"""The page of a conversation, as its stream sees it."""

from __future__ import annotations

from kontor.messages.store import Messages
from kontor.web.live.rendering import EndOfStream
from kontor.web.live.stream import event
from kontor.web.live.watcher import Watcher


class PageOfConversation:
    """An open page of a conversation. The stream only tells it the number of the last message."""

    def __init__(self, messages: Messages, watcher: Watcher, conversation: str) -> None:
        self._messages = messages
        self._watcher = watcher
        self._conversation = conversation
        self._number = 0

    def look(self) -> None:
        """Return nothing: each page looks for itself."""

    def frame(self, seen: None) -> bytes:
        """Return the number of the last message, if it is a new one. Raises EndOfStream."""
        visitor = self._watcher.now()
        number = self._messages.last_number(self._conversation, visitor.id) if visitor and visitor.id else None
        if number is None:
            raise EndOfStream
        if number == self._number:
            return b""
        self._number = number
        return event({"number": number}, number=str(number))

    def left(self) -> None:
        """Return None: nothing changes without a message."""
