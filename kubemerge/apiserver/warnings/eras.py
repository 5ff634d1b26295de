"""The releases whose servers send each warning, from upstream's sources of all releases since 1.19."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import eras
from ..eras import NO_END, in_release

if TYPE_CHECKING:
    from collections.abc import Iterable

OBJECTS_SINCE = 22
"""The first minor release whose servers send warnings about the content of objects."""


class DatedWarning(NamedTuple):
    """The text of a warning, and the first and the last minor release whose servers send it."""

    text: str
    since: int = OBJECTS_SINCE
    until: int = NO_END

    def at(self, place: str) -> DatedWarning:
        """Return the warning with a path before its text."""
        return self._replace(text=f"{place}: {self.text}")


class Era(eras.Era):
    """The era of some warnings."""

    __slots__ = ()

    def __call__(self, text: str) -> DatedWarning:
        """Return a warning of this era."""
        return DatedWarning(text, self.since, self.until)


def sent_by(warnings: Iterable[DatedWarning], minor: int) -> list[str]:
    """Return the texts that a server of a minor release sends."""
    return [one.text for one in in_release(warnings, minor)]


# pkg/api/pod/warnings.go
ALWAYS = Era(OBJECTS_SINCE)
NULL_SELECTOR = Era(28)
CLAIM_TEMPLATE = Era(26)
OVERLAPPING_FILES = Era(32)
STALE_OVERLAPS, FRESH_OVERLAPS = Era(32, 33), Era(34)
"""In a projected volume. The former releases repeat the files of the source before for a source without files."""
REPEATED_VARIABLE, HIDDEN_VARIABLE, DROPPED_VARIABLE = Era(22, 27), Era(28, 29), Era(30)
APP_ARMOR, APP_ARMOR_OTHER_THAN_POD = Era(30), Era(34)
PORTS, PORT_NAMES = Era(28), Era(33)
GRACE_PERIOD = Era(27)
LABEL_VALUES = Era(33)
POD_ADDRESSES = Era(33)
# pkg/registry/apps, batch and core: names, and templates
NAME = Era(27)
CONTROLLER_TEMPLATE_BEFORE, CONTROLLER_TEMPLATE = Era(22, 26), Era(27)
SET_CLAIMS = Era(26)
SET_HISTORY = Era(33)
JOB_SIZE = Era(28)
TIME_ZONE_BEFORE, TIME_ZONE = Era(22, 28), Era(29)
# pkg/api/service/warnings.go
SERVICES = Era(27)
SERVICE_TYPE = Era(28)
HEADLESS = Era(34)
EXTERNAL_ADDRESSES = Era(36)
PREFER_CLOSE = Era(35)
# other kinds
ADDRESSES_BEFORE, ADDRESSES = Era(27, 32), Era(33)
LENIENT_ADDRESSES, STRICT_ADDRESSES = Era(33, 35), Era(36)
NODE_LABELS_ELSEWHERE = Era(25)
CONFIG_SOURCE_BEFORE, CONFIG_SOURCE = Era(22, 25), Era(26)
EXTERNAL_ID = Era(27)
CLAIMS = Era(26)
STORAGE_ANNOTATION, MOUNT_ANNOTATION = Era(28), Era(31)
RECYCLE = Era(30)
VOLUME_SOURCES = Era(28)
INGRESS_ANNOTATION = Era(27)
NAMES_AS_ENDPOINTS = Era(27)
SECRET_CERTIFICATE = Era(27)
MOUNTABLE_SECRETS = Era(32)
UPPERCASE_DRIVER = Era(35)
DRIVER_TOKENS = Era(35)
QUOTA = Era(35)
EXCLUDED_RULE = Era(37)
FINALIZER = Era(29)
UNKNOWN_FORMAT, SET_OF_OBJECTS = Era(34), Era(37)
