"""Streams: they send every change to the browsers that have a page open."""
