"""Passwords and tokens in addresses are hidden, and nothing else."""

from __future__ import annotations

import pytest

from codegen import SpecError
from codegen.credentials import is_complete, without_credentials, without_logins
from codegen.errors import Unreachable

ADDRESSES = {
    "https://me:s3cret@host/x.json": "https://***@host/x.json",
    "https://s3cret@host:443/x.json": "https://***@host:443/x.json",
    "http://me:s3@cret@proxy:3128": "http://***@proxy:3128",
    "https://me:s3/cret?#@host/x": "https://***@host/x",
    "https://me:s3'cret\"@host/x": "https://***@host/x",
    "https://host/x?token=s3cret": "https://host/x?token=***",
    "nonsense:?api_key=s3cret": "nonsense:?api_key=***",
    "https://host/x?a=1&access_token=s3cret&b=2": "https://host/x?a=1&access_token=***&b=2",
    "https://host/x?ACCESS_TOKEN=s3cret": "https://host/x?ACCESS_TOKEN=***",
    "https://host/x?private-token=s3cret": "https://host/x?private-token=***",
    "https://host/x?x%2Dtoken=s3cret": "https://host/x?x%2Dtoken=***",
    "https://host/x?sv=2024&sp=r&sig=s3cret%3D": "https://host/x?sv=2024&sp=r&sig=***",
    "https://host/x?X-Amz-Credential=AKIA/2024&X-Amz-Signature=s3cret": (
        "https://host/x?X-Amz-Credential=***&X-Amz-Signature=***"
    ),
    "https://host/x?X-Amz-Security-Token=s3cret": "https://host/x?X-Amz-Security-Token=***",
    "https://host/x?X-Goog-Signature=s3cret": "https://host/x?X-Goog-Signature=***",
    "https://host/x?AWSAccessKeyId=s3cret": "https://host/x?AWSAccessKeyId=***",
    "https://host/x?client_secret=s3cret": "https://host/x?client_secret=***",
    "https://host/x?password=s3cret": "https://host/x?password=***",
    "https://host/x?apikey=s3cret": "https://host/x?apikey=***",
    "https://host/x?key=s3cret": "https://host/x?key=***",
    "https://host/x?code=s3cret": "https://host/x?code=***",
    "https://host/x?jwt=s3cret": "https://host/x?jwt=***",
    "https://host/x#access_token=s3cret": "https://host/x#access_token=***",
    f"https://host/x?q={'s3cret' * 6}": "https://host/x?q=***",
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_credentials_are_hidden(address: str) -> None:
    assert without_credentials(address) == ADDRESSES[address]
    assert not is_complete(without_credentials(address))
    assert without_credentials(f"{address}: it failed").endswith(": it failed")
    for error in (SpecError(address, "x", found=f"a redirect to {address}"), Unreachable(address, f"of {address}")):
        said = repr([str(error), *map(str, vars(error).values())])
        assert "s3" not in said
        assert "cret" not in said.replace("client_secret", "")


@pytest.mark.parametrize(
    "text",
    [
        "https://host:443/@scope/x@1.0.0/a.json?ref=v1.38&raw=true",
        "https://127.0.0.1:6443/openapi/v3/api/v1?hash=" + "0A" * 64,
        "https://[::1]:8080/x?timeout=30s#top",
        "nginx:1.25@sha256:0123",
        "a@b.example, token=3",
        "pypi:kubernetes-validate==1.37.0/x.json",
        "npm:@scope/x@1.0.0/a.json",
    ],
)
def test_everything_else_is_shown(text: str) -> None:
    assert without_credentials(text) == text
    assert is_complete(text)


def test_proxy_credentials_in_library_errors_are_hidden() -> None:
    assert without_logins("Failed to parse: me:s3cret@proxy:99999") == "Failed to parse: ***@proxy:99999"
