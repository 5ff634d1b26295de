"""Releases in Secrets are untrusted input."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from kubemerge.plan.helm import release as helm_release
from kubemerge.plan.helm.release import BadRelease, release_of, releases_in

from .helm_secrets import encoded, release, secret


def of_json(**content: Any) -> dict[str, Any]:
    return secret(encoded(gzip.compress(json.dumps(content).encode())))


def test_a_release_is_read() -> None:
    hook = {"name": "h", "kind": "Job", "manifest": "kind: Job", "events": ["pre-upgrade"], "weight": 3}
    found = release_of(release("kind: ConfigMap", 7, hooks=[hook, {**hook, "delete_policies": ["hook-succeeded"]}]))
    assert (found.name, found.namespace, found.revision, found.status) == ("shop", "demo", 7, "deployed")
    assert (found.manifest, found.apply_method) == ("kind: ConfigMap", "ssa")
    assert [(one.weight, one.events, one.policies) for one in found.hooks] == [
        (3, ("pre-upgrade",), ()),
        (3, ("pre-upgrade",), ("hook-succeeded",)),
    ]


def test_a_release_without_compression_or_method_is_read() -> None:
    content = {"name": "shop", "version": 1, "manifest": ""}
    found = release_of(secret(encoded(json.dumps(content).encode())))
    assert (found.namespace, found.status, found.apply_method) == ("default", "unknown", "")


def test_a_config_map_has_one_encoding_less() -> None:
    import base64

    data = base64.b64encode(gzip.compress(json.dumps({"name": "shop", "version": 2}).encode())).decode()
    found = release_of({"kind": "ConfigMap", "metadata": {"name": "r"}, "data": {"release": data}})
    assert found.revision == 2


def test_revisions_are_in_order() -> None:
    found = releases_in([release(revision=10), release(revision=9), release(revision=2)])
    assert [one.revision for one in found] == [2, 9, 10]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"kind": "Secret", "metadata": {"name": "a"}, "data": {"password": "x"}}, "not a Helm release"),
        ({"kind": "Deployment", "metadata": {"name": "a"}}, "not a Helm release, because data.release is missing"),
        ({"kind": "Secret", "metadata": None, "data": []}, "not a Helm release, because data.release is missing"),
        (secret("%%%"), "data.release is not base64"),
        (secret("aGFsbG8="), "data.release is not base64"),
        (secret(encoded(b"hello")), "data.release is not a release in JSON"),
        (secret(encoded(b"[1]")), "data.release is not a JSON object"),
        (secret(encoded(b"\xff\xfe")), "data.release is not a release in JSON"),
        (secret(encoded(b"\x1f\x8b\x08broken")), "data.release is not valid gzip"),
        (secret(encoded(gzip.compress(b"{}" * 500)[:20])), "data.release is cut off"),
        (of_json(version=1), "the release has no name or revision"),
        (of_json(name="a", version=0), "the release has no name or revision"),
        (of_json(name="a", version="1"), "the release's version has the wrong type"),
        (of_json(name="a", version=True), "the release's version has the wrong type"),
        (of_json(name="a", version=1, manifest=[]), "the release's manifest has the wrong type"),
        (of_json(name="a", version=1, hooks=[1]), "a hook of the release has no manifest"),
        (secret(encoded(b"[" * 100_000)), "data.release is not a release in JSON"),
    ],
)
def test_a_bad_release_is_rejected_in_one_sentence(document: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRelease) as error:
        release_of(document)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_bomb_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helm_release, "MAX_DECODED_SIZE", 1 << 20)
    bomb = gzip.compress(b" " * (8 << 20), 9)
    with pytest.raises(BadRelease, match="the release has more than 1 MiB"):
        release_of(secret(encoded(bomb)))


def test_a_long_value_is_rejected_before_it_is_decoded() -> None:
    with pytest.raises(BadRelease, match="has more than 4 MiB"):
        release_of(secret("%" * (4 << 20) + "%"))


def test_secrets_of_two_releases_are_rejected() -> None:
    other = of_json(name="other", version=1)
    with pytest.raises(BadRelease, match="default/other, demo/shop"):
        releases_in([release(), other])


def test_no_message_has_a_value() -> None:
    for data in ("c2VjcmV0", encoded(b"secret"), encoded(b'{"name": "a", "version": "secret"}')):
        with pytest.raises(BadRelease) as error:
            release_of(secret(data))
        assert "secret" not in str(error.value).replace("Secret", "")
