"""The columns of kubectl's tables, kind by kind."""

from __future__ import annotations

from .columns_control import CONTROL
from .columns_network import NETWORK
from .columns_storage import STORAGE
from .columns_workloads import WORKLOADS

COLUMNS = {**CONTROL, **NETWORK, **STORAGE, **WORKLOADS}
"""Group and kind, with their columns: every kind but those with plain ones."""
