"""Annotations of audit events, which the steps of a request add if the server writes an audit log."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_current: ContextVar[dict[str, str] | None] = ContextVar("audit annotations", default=None)


def is_audited() -> bool:
    """Whether the audit log records the current request."""
    return _current.get() is not None


def annotate(key: str, value: str) -> None:
    """Add an annotation to the audit event of the current request, if there is one. The first value is kept."""
    found = _current.get()
    if found is not None:
        found.setdefault(key, value)


@contextmanager
def annotating(annotations: dict[str, str] | None) -> Iterator[None]:
    """Collect the annotations of the block. With None, they are discarded."""
    before = _current.set(annotations)
    try:
        yield
    finally:
        _current.reset(before)
