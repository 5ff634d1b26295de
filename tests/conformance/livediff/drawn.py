"""Values that a server draws for each request: ports, addresses and times."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batch import Case

DRAWN = "drawn by the server"
PORTS = ("nodePort", "healthCheckNodePort")
"""A dry run draws ports from outside the range of node ports."""
ADDRESSES = ("clusterIP", "clusterIPs")
TIMES = re.compile(r"20(2[6-9]|[3-9]\d)-\d\d-\d\dT\S+Z\Z")
"""Times of requests. The times in configs are older."""


class DrawnValues:
    """The values of one case that neither the config nor the live object has."""

    def __init__(self, case: Case) -> None:
        self._known = {*_scalars(case["live"]), *_scalars(case["config"])}

    def marked(self, value: Any, name: str = "") -> Any:
        """A copy of a value in which drawn values have a mark."""
        if isinstance(value, dict):
            return {key: self.marked(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.marked(item, name) for item in value]
        is_drawn = name in (*PORTS, *ADDRESSES) and bool(value)
        is_drawn = is_drawn or (isinstance(value, str) and bool(TIMES.match(value)))
        return DRAWN if is_drawn and value not in self._known else value


def _scalars(value: Any) -> set[Any]:
    if isinstance(value, dict):
        return {scalar for item in value.values() for scalar in _scalars(item)}
    if isinstance(value, list):
        return {scalar for item in value for scalar in _scalars(item)}
    return {value}
