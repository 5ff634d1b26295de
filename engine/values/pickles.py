"""Pickles carry the version that made them: an older one can be read, a newer one may mean something else."""

from __future__ import annotations

from ..errors import NewerPickle
from ..version import __version__


def require_readable(version: str) -> None:
    """Refuse a pickle of a newer version."""
    if _numbers(version) > _numbers(__version__):
        raise NewerPickle(version, __version__)


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]
