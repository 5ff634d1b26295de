"""Findings that are reported once, at the right field, and with the right fix."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ..objects import deployment

if TYPE_CHECKING:
    from ..shell import Shell


def pod(**spec: Any) -> dict[str, Any]:
    containers = [{"name": "a", "image": "a:1", **spec.pop("container", {})}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": containers, **spec}}


def found(shell: Shell, *objects: Any) -> list[dict[str, Any]]:
    shell.run("lint", shell.write("a.yaml", *objects), "-o", "json")
    told: list[dict[str, Any]] = json.loads(shell.out)
    return told


def test_of_two_lists_of_values_the_shorter_one_is_told(shell: Shell) -> None:
    content = deployment("web")
    content["spec"]["template"]["spec"]["restartPolicy"] = "always"
    (one,) = found(shell, content)
    assert one["code"] == "KM103"
    assert one["message"].endswith('supported values: "Always".')


def test_fields_that_exclude_each_other_are_told_once(shell: Shell) -> None:
    (one,) = found(shell, pod(container={"livenessProbe": {"httpGet": {"port": 80}, "tcpSocket": {"port": 80}}}))
    assert one["code"] == "KM004"


def test_a_warning_has_the_name_of_the_field(shell: Shell) -> None:
    (one,) = found(shell, pod(volumes=[{"name": "v", "storageos": {"volumeName": "x"}}]))
    assert (one["code"], one["path"]) == ("KM110", "spec.volumes[name=v].storageos")


def test_a_warning_that_names_no_field_has_no_path(shell: Shell) -> None:
    """`tls:` is the Go package of the message."""
    data = {"tls.crt": "eA==", "tls.key": "eA=="}
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s"},
        "type": "kubernetes.io/tls",
        "data": data,
    }
    (one,) = [one for one in found(shell, secret) if one["code"] == "KM110"]
    assert one["path"] == "."
    assert one["message"] == "The API server warns: tls: failed to find any PEM data in certificate input."
    assert one["advice"].startswith("Write a certificate to data[tls.crt], and its private key")


def test_a_version_that_is_gone_is_moved_within_its_group(shell: Shell) -> None:
    event = {"apiVersion": "events.k8s.io/v1beta1", "kind": "Event", "metadata": {"name": "e"}}
    (one,) = found(shell, event)
    assert " Served as events.k8s.io/v1 since 1.19" in one["message"]
    assert one["advice"].startswith("Write apiVersion: events.k8s.io/v1")


def test_a_number_that_no_code_has(shell: Shell) -> None:
    assert shell.fails("lint", "--select", "KM999", "a.yaml") == "unknown code 'KM999'. See `kubemerge lint --list`"


def test_an_unknown_code_in_the_settings_is_reported_with_their_file(shell: Shell) -> None:
    (shell.folder / "kubemerge.toml").write_text('ignore = ["KM999"]\n')
    assert shell.fails("lint", "a.yaml").endswith("kubemerge.toml: unknown code 'KM999'. See `kubemerge lint --list`")


def test_an_unknown_code_for_some_files_is_reported(shell: Shell) -> None:
    (shell.folder / "kubemerge.toml").write_text('[per-path-ignores]\n"legacy/*" = ["KM001", "KM999"]\n')
    assert shell.fails("lint", "a.yaml").endswith("kubemerge.toml: unknown code 'KM999'. See `kubemerge lint --list`")


def test_a_number_that_is_none_is_refused_as_by_kubectl(shell: Shell) -> None:
    assert shell.run("scale", "deploy/a", "--replicas=abc") == 1
    assert shell.err == (
        'error: invalid argument "abc" for "--replicas" flag: strconv.ParseInt: parsing "abc": invalid syntax\n'
        "See 'kubemerge scale --help' for usage.\n"
    )


def test_an_option_that_is_not_there(shell: Shell) -> None:
    assert shell.fails("owners", "--live", "x").startswith("No such option '--live'. Did you mean '-f'?")
    assert shell.fails("owners", "--contex", "x").startswith("No such option '--contex'. Did you mean '--context'?")
    assert shell.fails("owners", "--zzz", "x").startswith("No such option '--zzz' (see")


def test_why_leaves_out_objects_that_cannot_have_the_field(shell: Shell) -> None:
    file = shell.write("a.yaml", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}, pod())
    assert "configmap/c" not in shell.done("why", "-f", file, "spec.containers")
    assert "pod/p" in shell.done("why", "-f", file, "spec.hostname")


@pytest.mark.parametrize("quantity", ["1e30", "1e400", "9223372036854775808", "1" * 400, "1e-400", "1Ei"])
def test_a_quantity_of_any_size_is_no_bug(shell: Shell, quantity: str) -> None:
    assert shell.run("lint", shell.write("a.yaml", pod(container={"resources": {"limits": {"cpu": quantity}}}))) < 2
    assert "bug" not in shell.out + shell.err


def test_a_request_that_is_no_quantity_is_reported_once(shell: Shell) -> None:
    """The API server reads it as 0 and names the field without `requests`."""
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10GB"}}}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": spec}
    (one,) = found(shell, claim)
    assert (one["code"], one["path"]) == ("KM101", "spec.resources.requests.storage")
