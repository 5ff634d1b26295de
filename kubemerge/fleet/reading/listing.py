"""Folders on this machine or in object storage: the state of their files."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import Any

from ...manifests.dumps.containers import walk


def is_local(system: Any) -> bool:
    """Whether a file system is that of this machine."""
    return bool(getattr(system, "local_file", False))


def state(system: Any, inside: str) -> tuple[int, str]:
    """The size of all files in a folder, and a hash of their names, sizes and times."""
    size, known = 0, blake2b(digest_size=16)
    if is_local(system):
        for name, is_file in walk(inside):
            about = os.lstat(f"{inside}/{name}") if is_file else None
            size += about.st_size if about else 0
            known.update(repr((name, about and (about.st_size, about.st_mtime_ns))).encode())
        return size, known.hexdigest()
    for name, facts in sorted(system.find(inside, detail=True).items()):
        size += int(facts.get("size") or 0)
        known.update(repr((name, [facts.get(one) for one in ("size", "mtime", "ETag", "LastModified")])).encode())
    return size, known.hexdigest()
