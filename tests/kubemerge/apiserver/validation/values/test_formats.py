"""Messages of a 1.37 server about keys and port names."""

from __future__ import annotations

from kubemerge.apiserver.validation.values.formats import config_key, port_name


def test_a_key_may_be_wrong_in_two_ways() -> None:
    first, second = config_key("../x")
    assert first.startswith("a valid config key must consist of alphanumeric characters, '-', '_' or '.'")
    assert second == "must not start with '..'"


def test_the_length_of_the_name_of_a_port_is_counted_in_bytes() -> None:
    assert list(port_name("aaaaaaaaaaaaaaé")) == [
        "must be no more than 15 characters",
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    ]
