"""Streams: who has a page open, and is told of every change."""
