"""The names of files in reports for programs."""

from __future__ import annotations

import pytest

from kubemerge.manifests.uris import uri_of

URIS = {
    "a b.yaml": "a%20b.yaml",
    "/etc/a b.yaml": "file:///etc/a%20b.yaml",
    "C:/etc/a b.yaml": "file:///C:/etc/a%20b.yaml",
    "https://example.com/a.yaml": "https://example.com/a.yaml",
}


@pytest.mark.parametrize("source", URIS)
def test_a_file_is_named_by_a_uri(source: str) -> None:
    assert uri_of(source) == URIS[source]
