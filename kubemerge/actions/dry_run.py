"""How far a request goes: all the way, to the server and no further, or not even there."""

from __future__ import annotations

NONE, CLIENT, SERVER = "none", "client", "server"

WORDS = {NONE: "", CLIENT: " (dry run)", SERVER: " (server dry run)"}
"""What kubectl puts behind a result."""


def mode(dry_run: str) -> str:
    """How the cluster is opened for changes."""
    return "write" if dry_run == NONE else "rehearse"
