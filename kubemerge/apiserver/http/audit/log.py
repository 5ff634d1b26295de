"""The file of an audit log: one event as JSON on each line."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from engine import MergeError

from .policy import DEFAULT, AuditPolicy
from .record import AuditRecord

if TYPE_CHECKING:
    from ..messages import Request

LOG = logging.getLogger("kubemerge.serve")
STANDARD_OUTPUT = "-"
OWNER_ONLY = 0o600


class CannotAudit(MergeError):
    """An audit log that cannot be opened."""


class AuditLog:
    """An audit log. Events that cannot be written are reported and counted, and requests go on."""

    def __init__(self, file: str, policy: AuditPolicy | None = None) -> None:
        self.file, self.policy = file, policy or AuditPolicy(DEFAULT)
        self._lost = 0
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            self._descriptor = sys.stdout.fileno() if file == STANDARD_OUTPUT else os.open(file, flags, OWNER_ONLY)
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotAudit(f"the audit log {file} cannot be written ({why}). Pass another --audit-log") from None

    def open(self, request: Request, source: str, uri: str) -> AuditRecord:
        """Return the record of a new request."""
        return AuditRecord(self.policy, self.write, request, source, uri)

    def write(self, line: str) -> None:
        """Write an event."""
        data = f"{line}\n".encode()
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            if not self._lost:
                LOG.error("the audit log %s cannot be written (%s). Events are lost", self.file, error.strerror)
            self._lost += 1
            return
        if self._lost:
            LOG.error("the audit log %s can be written again. %d events are lost", self.file, self._lost)
            self._lost = 0

    def close(self) -> None:
        """Close the file."""
        if self.file != STANDARD_OUTPUT:
            os.close(self._descriptor)
