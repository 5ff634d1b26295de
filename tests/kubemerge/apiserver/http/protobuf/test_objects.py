"""Random objects of every kind decode from protobuf to the same JSON."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.decoding import go_type_table
from kubemerge.apiserver.http.protobuf import decode_body

from .oracle import OBJECTS, TABLE, NoOracle, ask

if TYPE_CHECKING:
    from collections.abc import Iterable

Case = tuple[str, str, bytes, Any]


def cases(lines: Iterable[str]) -> list[Case]:
    found = []
    for line in lines:
        api_version, kind, body, text = line.split(" ", 3)
        found.append((api_version, kind, b64decode(body), json.loads(text)))
    return found


def wrong(given: list[Case]) -> list[str]:
    return [f"{api} {kind}" for api, kind, body, real in given if decode_body(body, api, kind) != real]


RECORDED = cases(gzip.decompress(OBJECTS.read_bytes()).decode().splitlines())


def test_recorded_objects_of_every_kind() -> None:
    assert len({(api, kind) for api, kind, *_ in RECORDED}) == 542
    assert wrong(RECORDED) == []


def test_what_an_envelope_leaves_out_is_what_was_to_be_sent() -> None:
    assert decode_body(b"k8s\0\x12\x06\x0a\x04\x0a\x02x1", "v1", "ConfigMap") == {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {"name": "x1"},
    }


@pytest.mark.slow
def test_ten_thousand_more() -> None:
    try:
        lines = ask("objects", "10000", "2").split("\n")
    except NoOracle as error:
        pytest.skip(str(error))
    assert wrong(cases(line for line in lines if line)) == []


@pytest.mark.slow
def test_the_tables_are_those_of_the_go_types() -> None:
    try:
        assert ask("table") == TABLE.read_text(encoding="ascii")
        assert f"\n{ask('gotypes')}" == go_type_table.TABLE
    except NoOracle as error:
        pytest.skip(str(error))
