"""The file of an audit log: one event as JSON on each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..line_log import LineLog
from .policy import DEFAULT, AuditPolicy
from .record import AuditRecord

if TYPE_CHECKING:
    from ..messages import Request


class AuditLog(LineLog):
    """An audit log."""

    def __init__(self, file: str, policy: AuditPolicy | None = None) -> None:
        super().__init__(file, "the audit log", "--audit-log")
        self.policy = policy or AuditPolicy(DEFAULT)

    def open(self, request: Request, source: str, uri: str) -> AuditRecord:
        """Return the record of a new request."""
        return AuditRecord(self.policy, self.write, request, source, uri)
