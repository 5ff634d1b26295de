"""Messages of a 1.37 server about addresses and CIDRs in Pods and Services."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.validation.values.addresses import address, assignable_address, network

ADDRESSES = {
    "1.2.3.4": [],
    "fe80::1%eth0": ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
    "::ffff:1.2.3.4%-1": ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
    "::ffff:1.2.3.4": ["must not be an IPv4-mapped IPv6 address"],
}
NETWORKS = {
    "::ffff:1.2.3.4/95": ["must not have an IPv4-mapped IPv6 address"],
    "::ffff:1.2.3.4/96": ["must not have an IPv4-mapped IPv6 address"],
    "::ffff:1.2.3.4/128": ["must not have an IPv4-mapped IPv6 address"],
    "::ffff:1.2.3.4/08": ["must not have leading 0s in IP or prefix length"],
    "fe80::1%eth0/128": ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
}
LINK_LOCAL = "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"
OF_SOMEBODY = {"ff12::1": [LINK_LOCAL], "FF02::1": [LINK_LOCAL], "224.0.0.5": [LINK_LOCAL], "ff05::1": []}


@pytest.mark.parametrize("value", ADDRESSES)
def test_an_address(value: str) -> None:
    assert [*map(str, address("at", value))] == [f'at: Invalid value: "{value}": {why}' for why in ADDRESSES[value]]


@pytest.mark.parametrize("value", NETWORKS)
def test_a_network(value: str) -> None:
    assert [*map(str, network("at", value))] == [f'at: Invalid value: "{value}": {why}' for why in NETWORKS[value]]


@pytest.mark.parametrize("value", OF_SOMEBODY)
def test_an_address_of_a_machine(value: str) -> None:
    assert [*map(str, assignable_address("at", value))] == [
        f'at: Invalid value: "{value}": {why}' for why in OF_SOMEBODY[value]
    ]
