"""The demo and the documentation have the same files, and its commands end as in the story."""

from __future__ import annotations

from kubemerge.demo.story import files

from ...conftest import ROOT

SAME = {
    "dns/live.yaml": "docs/live/dns.yaml",
    "dns/service.yaml": "examples/dns/service.yaml",
    "nginx/deployment.yaml": "examples/nginx/deployment.yaml",
    "nginx/live.yaml": "docs/live/nginx.yaml",
    "strategy/deployment.yaml": "examples/strategy/config.yaml",
    "strategy/live.yaml": "docs/live/strategy.yaml",
}
"""The wheel contains them, so they are copies."""


def test_the_files_are_those_of_the_documentation() -> None:
    assert dict(files()) == {name: (ROOT / source).read_bytes() for name, source in SAME.items()}
