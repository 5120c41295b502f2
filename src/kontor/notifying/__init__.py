"""Notifications for people who are away: by mail, by webhooks, by their browsers.

The outbox holds what is to be sent; a notifier puts it into words and sends it.
"""
