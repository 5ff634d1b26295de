"""`kubemerge serve`: run the embedded cluster as an API server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...apiserver.authorization.authorizer import MODES
from ...apiserver.text.text import shown
from ...cluster import open_cluster
from ..options.clusters import ClusterLocation, file_options
from ..options.durations import timeout_option
from ..options.gates import feature_gates_option
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from ...apiserver.http.listening.running import Serving

PORT = 8080
"""The port on which kubectl expects a server by default."""


@click.command("serve")
@file_options
@feature_gates_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port to listen on. 0 selects a free port.",
)
@click.option("--kubeconfig", metavar="FILE", help="Write a kubeconfig for the server to this file.")
@click.option("--token-file", metavar="FILE", help="Require the bearer token in this file.")
@click.option("--tls", is_flag=True, help="Serve TLS. Without a certificate option, a new certificate is created.")
@click.option("--tls-cert-file", "certificate", metavar="FILE", help="The server certificate (PEM).")
@click.option("--tls-private-key-file", "key", metavar="FILE", help="The private key of the certificate (PEM).")
@click.option(
    "--controllers",
    metavar="LIST",
    default="*",
    show_default=True,
    help="Controllers to run, as in kube-controller-manager: '*' all, '-*' none (as in envtest), NAME, -NAME.",
)
@click.option(
    "--authorization",
    type=click.Choice(MODES),
    default=MODES[0],
    show_default=True,
    help="The authorization mode. With rbac, roles and bindings decide, as on a real cluster. Without --token-file, a "
    "request without credentials has all permissions.",
)
@click.option(
    "--audit-log",
    metavar="FILE",
    help="Append audit events (audit.k8s.io/v1) to this file, one JSON object per line. '-' prints them.",
)
@click.option(
    "--audit-policy",
    metavar="FILE",
    help="The audit policy (audit.k8s.io/v1 Policy). Default: log the metadata of each completed request.",
)
@click.option(
    "--record",
    metavar="FILE",
    help="Append the fields that each write owns and changes to this file, one JSON object per line. '-' prints them.",
)
@click.option(
    "--service",
    "services",
    multiple=True,
    metavar="NAMESPACE/NAME=URL",
    help="The address of a Service that webhooks name, such as default/hooks=https://127.0.0.1:9443. May be repeated.",
)
@click.option(
    "--static-manifests-dir",
    "folders",
    multiple=True,
    metavar="FOLDER",
    help="Evaluate the policies and webhooks in this folder, as staticManifestsDir of kube-apiserver does. May be "
    "repeated, with one folder for each admission plugin.",
)
@click.option(
    "--wait",
    is_flag=True,
    help="Wait until the server that writes the kubeconfig is ready, then exit. No server is started.",
)
@timeout_option("Time limit for --wait")
@console_options
def serve(
    where: ClusterLocation,
    host: str,
    port: int,
    kubeconfig: str | None,
    token_file: str | None,
    tls: bool,
    certificate: str | None,
    key: str | None,
    controllers: str,
    authorization: str,
    audit_log: str | None,
    audit_policy: str | None,
    record: str | None,
    services: tuple[str, ...],
    folders: tuple[str, ...],
    wait: bool,
    timeout: float,
) -> int:
    """Serve the embedded cluster as a Kubernetes API server.

    The server runs until it is interrupted. It works with all Kubernetes clients. By default, it accepts only
    connections from this machine. Another --host requires a token.

    The server calls admission webhooks and conversion webhooks. Webhooks that name a Service need --service.

    In a script, start it with `&`, and run `kubemerge serve --wait --kubeconfig FILE` before the first request.
    """
    from ...apiserver.http.listening import running
    from ...apiserver.http.listening.kubeconfig import check_place

    if wait:
        return _wait(kubeconfig, timeout)
    _require_pairs(certificate, key, audit_log, audit_policy)
    token = _token(host, token_file)
    if kubeconfig:
        check_place(Path(kubeconfig))
    log = running.open_audit_log(audit_log, audit_policy) if audit_log else None
    urls = _services_of(services)
    with (
        running.listen_address(host, port, certificate, key, tls=tls) as place,
        open_cluster(where.cluster, release=where.release, controllers=controllers) as cluster,
    ):
        cluster.use_authorization(authorization)
        cluster.use_static_manifests(folders, console().complain)
        serving = running.Serving(cluster, token=token, place=place, services=urls, audit=log, record=record)
        _announce(serving, kubeconfig)
        serving.run()
    return 0


def _token(host: str, file: str | None) -> str | None:
    from ...apiserver.http.authentication import LOOPBACK
    from ...apiserver.http.listening.running import token_in

    if file:
        return token_in(file)
    if host not in LOOPBACK:
        raise click.UsageError(f"--host {shown(host)} accepts requests from other machines. Also pass --token-file")
    return None


def _require_pairs(certificate: str | None, key: str | None, log: str | None, policy: str | None) -> None:
    if bool(certificate) != bool(key):
        raise click.UsageError("--tls-cert-file and --tls-private-key-file require each other")
    if policy and not log:
        raise click.UsageError("--audit-policy requires --audit-log")


def _announce(serving: Serving, kubeconfig: str | None) -> None:
    if kubeconfig:
        serving.write_kubeconfig(Path(kubeconfig))
    if console().quiet:
        return
    echo(f"{shown(serving.cluster.file)}, Kubernetes {serving.cluster.release}, is served at {serving.url}")
    if kubeconfig:
        echo(f"kubectl --kubeconfig {shown(kubeconfig)} get all")


def _services_of(given: tuple[str, ...]) -> dict[str, str]:
    if not given:
        return {}
    from ...apiserver.webhooks.endpoints import services_of  # most servers have no webhooks

    return services_of(given)


def _wait(kubeconfig: str | None, timeout: float) -> int:
    from ...apiserver.http.listening.readiness import wait_until_ready

    if not kubeconfig:
        raise click.UsageError("--wait requires the kubeconfig that the server writes. Pass it with --kubeconfig")
    console().say(f"ready: {wait_until_ready(Path(kubeconfig), timeout)}")
    return 0
