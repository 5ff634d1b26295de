"""Changes of the addresses and families of Services, which a cluster with one family cannot record."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.validation.services import _changed_addresses, _changed_families

A, B, C = "10.0.0.1", "fd00::1", "10.0.0.2"
UNCHANGED = "may not change once set"
RELEASED = "must be set to 'SingleStack' when releasing the secondary "
SINGLE = {"ipFamilyPolicy": "SingleStack"}


@pytest.mark.parametrize(
    ("then", "now", "spec", "problems"),
    [
        ([A], [A], {}, []),
        ([A, B], [A, C], {}, [("spec.clusterIPs[1]", UNCHANGED)]),
        ([A, B], [], {}, [("spec.clusterIPs[0]", "primary clusterIP can not be unset")]),
        ([A, B], [A], SINGLE, []),
        ([A, B], [C], SINGLE, [("spec.clusterIPs[0]", UNCHANGED)]),
        ([A, B], [A], {}, [("spec.ipFamilyPolicy", RELEASED + "clusterIP")]),
        ([], [A], {}, []),
        ([A], [A, B], {}, []),
        ([A], [C, B], {}, [("spec.clusterIPs[0]", UNCHANGED)]),
    ],
)
def test_changed_addresses(then: list[str], now: list[str], spec: Any, problems: list[tuple[str, str]]) -> None:
    found = [*_changed_addresses(now, then, spec)]
    assert [(one.path, one.detail) for one in found] == problems


@pytest.mark.parametrize(
    ("then", "now", "spec", "problems"),
    [
        (["IPv4"], ["IPv4"], {}, []),
        (["IPv4"], ["IPv6"], {}, [("spec.ipFamilies[0]", UNCHANGED)]),
        (["IPv4"], ["IPv6", "IPv4"], {}, [("spec.ipFamilies[0]", UNCHANGED)]),
        (["IPv4"], ["IPv4", "IPv6"], {}, []),
        (["IPv4", "IPv6"], ["IPv4"], SINGLE, []),
        (["IPv4", "IPv6"], ["IPv4"], {}, [("spec.ipFamilyPolicy", RELEASED + "ipFamily")]),
    ],
)
def test_changed_families(then: list[str], now: list[str], spec: Any, problems: list[tuple[str, str]]) -> None:
    found = [*_changed_families({**spec, "ipFamilies": now}, {"ipFamilies": then})]
    assert [(one.path, one.detail) for one in found] == problems
