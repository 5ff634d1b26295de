"""Objects generated from options whose recorded kubectl output would differ each time, or needs certificates."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from kubemerge.actions.generators import configs, parts, workloads
from kubemerge.actions.generators.parts import BadOptions
from kubemerge.actions.generators.sending import prepared

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "nginx": r"nginx",
    "registry.example.com:5000/team/web:1.2": r"web",
    "web@sha256:abc": r"web",
    "my_app": r"my-app-[bcdfghjklmnpqrstvwxz2456789]{5}",
    "a.b:1": r"a-b-[bcdfghjklmnpqrstvwxz2456789]{5}",
}


@pytest.mark.parametrize(("image", "name"), NAMES.items())
def test_a_container_is_called_after_its_image(image: str, name: str) -> None:
    assert re.fullmatch(name, parts.container_name(image))


def test_two_unusual_images_get_two_names() -> None:
    made = workloads.deployment("a", images=["a.b", "a.b"], command=[], port=-1, replicas=1)
    names = [one["name"] for one in made["spec"]["template"]["spec"]["containers"]]
    assert len(set(names)) == 2


def test_the_saved_config_escapes_what_go_escapes_and_keeps_the_order_of_fields() -> None:
    content = {**parts.head("v1", "ConfigMap", "a"), "data": {"k": "<&>\u2028"}}
    annotations = prepared(content, "n", save=True)["metadata"]["annotations"]
    assert list(annotations.values()) == [
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n"},'
        '"data":{"k":"\\u003c\\u0026\\u003e\\u2028"}}\n'
    ]


# ---- certificates ----------------------------------------------------------------------------------------------------


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    cert, key = str(tmp_path / "tls.crt"), str(tmp_path / "tls.key")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=web"]
    subprocess.run([*words, "-out", cert, "-keyout", key], check=True, capture_output=True)
    return cert, key


def test_a_certificate_and_its_key_become_a_secret(pair: tuple[str, str]) -> None:
    made = configs.tls_secret("web", cert=pair[0], key=pair[1], append_hash=False)
    assert made["type"] == "kubernetes.io/tls"
    assert list(made["data"]) == ["tls.crt", "tls.key"]


def test_a_key_of_another_certificate_is_refused(pair: tuple[str, str], tmp_path: Path) -> None:
    other = str(tmp_path / "other.key")
    subprocess.run(["openssl", "genrsa", "-out", other, "2048"], check=True, capture_output=True)
    with pytest.raises(BadOptions, match=r"^tls: private key does not match public key$"):
        configs.tls_secret("web", cert=pair[0], key=other, append_hash=False)


def test_swapped_files_and_a_key_with_a_passphrase_have_the_message_of_kubectl(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    with pytest.raises(BadOptions, match=r"but did find a private key; PEM inputs may have been switched$"):
        configs.tls_secret("web", cert=pair[1], key=pair[0], append_hash=False)
    locked = str(tmp_path / "locked.key")
    words = ["openssl", "pkcs8", "-topk8", "-in", pair[1], "-out", locked, "-passout", "pass:x"]
    subprocess.run(words, check=True, capture_output=True)
    with pytest.raises(BadOptions, match=r"^tls: failed to parse private key$"):
        configs.tls_secret("web", cert=pair[0], key=locked, append_hash=False)


# ---- selectors -------------------------------------------------------------------------------------------------------

SELECTORS = {
    "a=b,c==d": {"matchLabels": {"a": "b", "c": "d"}},
    "a in (y,x),!b,c": {
        "matchExpressions": [
            {"key": "a", "operator": "In", "values": ["x", "y"]},
            {"key": "b", "operator": "DoesNotExist"},
            {"key": "c", "operator": "Exists"},
        ]
    },
    "": {},
}


@pytest.mark.parametrize(("text", "selector"), SELECTORS.items())
def test_a_selector_as_objects_hold_it(text: str, selector: dict[str, object]) -> None:
    assert parts.label_selector(text) == selector
