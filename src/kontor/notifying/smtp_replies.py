"""The meaning of a mail server's replies: who has to fix the fault, and whether another attempt can help.

Sources: RFC 5321 (replies), RFC 3463 and RFC 5248 (enhanced status codes), RFC 7505 (domains without mail).
"""

from __future__ import annotations

import re
import smtplib
import ssl
from typing import Final, Literal

from kontor.notifying.sending import Dead, Failed
from kontor.notifying.values import FailureReason

Stage = Literal["connect", "AUTH", "MAIL FROM", "RCPT", "DATA"]
"""The step of the conversation that was answered."""

_ENHANCED: Final = re.compile(r"([245])\.(\d{1,3})\.(\d{1,3})(?!\d)")

_ABOUT_SENDER: Final = (7, 8, 9)
"""Details of 5.1.x that concern the sender's address or its relay; all others concern the recipient's."""

_FULL: Final = (2, 2)
_TOO_LARGE: Final = ((2, 3), (3, 4))
_AUTHENTICATION: Final = (530, 534, 535, 538)


def failure_of(error: smtplib.SMTPException | OSError, stage: Stage) -> Failed:
    """Return the failure that an exception of smtplib means at a stage: Dead only for an unknown recipient."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()), (0, b""))
        return reply_failure("RCPT", code, text)
    if isinstance(error, smtplib.SMTPSenderRefused):
        return reply_failure("MAIL FROM", error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPDataError):
        return reply_failure("DATA", error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return reply_failure("AUTH", error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPServerDisconnected):  # the connection can break while a reply is awaited
        return Failed("operator", f"{stage}: disconnected")
    if isinstance(error, smtplib.SMTPResponseException):
        return reply_failure(stage, error.smtp_code, error.smtp_error)
    return Failed("operator", f"{stage}: {_name(error)}")


def _name(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return "TLS"
    return "timeout" if isinstance(error, TimeoutError) else "no connection" if isinstance(error, OSError) else "SMTP"


def reply_failure(stage: Stage, code: int, text: bytes | str) -> Failed:
    """Return the failure that a reply means: 4xx is tried again, and so is 5xx unless the recipient is unknown."""
    enhanced = _enhanced(code, text)
    detail = f"{stage}: {code}" + (f" {code // 100}.{enhanced[0]}.{enhanced[1]}" if enhanced else "")
    if stage == "RCPT" and code // 100 == 5 and enhanced and enhanced[0] == 1 and enhanced[1] not in _ABOUT_SENDER:
        return Dead(detail)
    return Failed(_reason(stage, code, enhanced), detail)


def _reason(stage: Stage, code: int, enhanced: tuple[int, int] | None) -> FailureReason:
    subject = enhanced[0] if enhanced else None
    if code in _AUTHENTICATION or stage in ("connect", "AUTH"):
        return "operator"
    if enhanced in _TOO_LARGE or (code == 552 and enhanced != _FULL and stage in ("MAIL FROM", "DATA")):
        return "size"
    if enhanced == _FULL or (code == 552 and stage == "RCPT"):
        return "full"
    if stage == "MAIL FROM" or (subject == 1 and enhanced and enhanced[1] in _ABOUT_SENDER):
        return "busy" if code // 100 == 4 else "operator"
    if code // 100 != 5:
        return "busy"
    return "policy" if subject in (6, 7) or (stage == "DATA" and enhanced is None) else "refused"


def _enhanced(code: int, text: bytes | str) -> tuple[int, int] | None:
    """Return subject and detail of the enhanced status code, if it is of the class of the reply."""
    line = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    match = _ENHANCED.match(line.strip())
    return (int(match[2]), int(match[3])) if match and int(match[1]) == code // 100 else None
