"""Notifications for people who are away: by mail, by webhooks, by their browsers.

This package puts the rows of ``kontor.table``'s outbox into words and sends them.
"""

from kontor.notifying.mail import CannotMail, MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.sending import Dead, Failed, Send
from kontor.notifying.webhook import Webhooks, new_secret

__all__ = ["CannotMail", "Dead", "Failed", "MailServer", "Notifier", "Send", "Webhooks", "new_secret"]
