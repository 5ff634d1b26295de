"""The columns of kubectl's tables, kind by kind."""

from __future__ import annotations

from .columns_control import CONTROL
from .columns_network import NETWORK
from .columns_storage import STORAGE
from .columns_workloads import WORKLOADS

COLUMNS = {**CONTROL, **NETWORK, **STORAGE, **WORKLOADS}
"""Group and kind, with their columns."""
SORTED_BY = {("flowcontrol.apiserver.k8s.io", "FlowSchema"): "MATCHINGPRECEDENCE"}
"""Kinds that are not listed by their names, with the column of numbers that they are listed by."""
