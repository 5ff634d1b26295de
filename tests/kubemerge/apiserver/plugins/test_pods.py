"""Admission of Pods."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.plugins.context import AdmissionContext
from kubemerge.apiserver.plugins.pods import addresses

AROUND = AdmissionContext(lambda *_: iter(()), 37, None, lambda: "", lambda _: None)
BOTH = {"podIP": "10.1.1.1", "podIPs": [{"ip": "10.1.1.1"}]}


@pytest.mark.parametrize("field", BOTH)
def test_the_address_of_a_pod_stands_in_both_fields(field: str) -> None:
    given: dict[str, Any] = {"metadata": {"name": "p"}, "status": {field: BOTH[field]}}
    assert addresses(given, AROUND)["status"] == BOTH
