"""A file to which a server appends one line for each event."""

from __future__ import annotations

import logging
import os
import sys

from engine import MergeError

LOG = logging.getLogger("kubemerge.serve")
STANDARD_OUTPUT = "-"
OWNER_ONLY = 0o600


class CannotLog(MergeError):
    """A log that cannot be opened."""


class LineLog:
    """A log. Lines that cannot be written are reported and counted, and requests go on."""

    def __init__(self, file: str, title: str, option: str) -> None:
        self.file, self._title, self._lost = file, f"{title} {file}", 0
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            self._descriptor = sys.stdout.fileno() if file == STANDARD_OUTPUT else os.open(file, flags, OWNER_ONLY)
        except OSError as error:
            why = error.strerror or str(error)
            raise CannotLog(f"{self._title} cannot be written ({why}). Pass another {option}") from None

    def write(self, line: str) -> None:
        """Write a line."""
        data = f"{line}\n".encode()
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            if not self._lost:
                LOG.error("%s cannot be written (%s). Events are lost", self._title, error.strerror)
            self._lost += 1
            return
        if self._lost:
            LOG.error("%s can be written again. %d events are lost", self._title, self._lost)
            self._lost = 0

    def close(self) -> None:
        """Close the file."""
        if self.file != STANDARD_OUTPUT:
            os.close(self._descriptor)
