"""Watches: the feed of changes, and the streams to clients."""
