"""Credential plugins: programs named in a kubeconfig, run as kubectl runs them.

The output of a plugin is secret. It is kept in memory and never shown. Its messages to the user go to the terminal and
nowhere else.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode

from ...apiserver.errors import ConnectError
from ...apiserver.text.text import shown
from ...apiserver.unchecked import as_list, as_map
from .errors import BadKubeconfig

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .kubeconfig import Access

VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_EXTENSION = "client.authentication.k8s.io/exec"
"""The extension of a cluster with the config of its plugin."""


@dataclass(frozen=True)
class ExecCredential:
    """The credentials of a plugin, a token or a certificate with its key, and their expiry."""

    token: str = ""
    certificate: str = ""
    key: str = ""
    until: datetime | None = None

    def __repr__(self) -> str:
        return "<Given>"  # all of it is secret

    @property
    def is_over(self) -> bool:
        """Whether the credentials have expired."""
        return self.until is not None and datetime.now(timezone.utc) >= self.until


def run_plugin(access: Access) -> ExecCredential:
    """Run the plugin of the user."""
    plugin = as_map(access.user.get("exec"))
    _check(plugin, access)
    interactive = _interactive(plugin, access)
    info = {"kind": "ExecCredential", "apiVersion": plugin["apiVersion"], "spec": _spec(plugin, access, interactive)}
    added = {str(one.get("name")): str(one.get("value")) for one in as_list(plugin.get("env"))}
    environment = {**os.environ, **added, "KUBERNETES_EXEC_INFO": json.dumps(info)}
    words = [plugin["command"], *as_list(plugin.get("args"))]
    return _understood(_output(words, environment, plugin, access, interactive=interactive), plugin, access)


def _check(plugin: Mapping[str, Any], access: Access) -> None:
    """Reject configurations that kubectl rejects before it runs a plugin."""
    at = f"the exec plugin of the user {access.user_name!r}"
    mode = plugin.get("interactiveMode")
    rules = {
        f"{at} has no command": not plugin.get("command"),
        f"{at} has the apiVersion {plugin.get('apiVersion') or ''!r}, not {' or '.join(VERSIONS)}": plugin.get(
            "apiVersion"
        )
        not in VERSIONS,
        f"{at} requires an interactiveMode: Never, IfAvailable or Always": mode
        not in ("Never", "IfAvailable", "Always")
        and (mode or plugin.get("apiVersion") == VERSIONS[0]),
        f"{at} has an environment variable without a name": not all(
            isinstance(one.get("name"), str) and one["name"] for one in as_list(plugin.get("env"))
        ),
    }
    for rule, broken in rules.items():
        if broken:
            raise BadKubeconfig(access.place, rule)


def _interactive(plugin: Mapping[str, Any], access: Access) -> bool:
    """Whether the plugin may prompt the user on the terminal."""
    mode = plugin.get("interactiveMode") or "IfAvailable"
    there = sys.stdin is not None and sys.stdin.isatty()
    if mode == "Always" and not there:
        raise ConnectError(
            f"the exec plugin of the user {access.user_name!r} requires user input, but standard input is "
            "not a terminal"
        )
    return mode != "Never" and there


def _spec(plugin: Mapping[str, Any], access: Access, interactive: bool) -> dict[str, Any]:
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.get("provideClusterInfo"):
        names = ("server", "tls-server-name", "insecure-skip-tls-verify", "certificate-authority-data", "proxy-url")
        cluster = {name: access.cluster[name] for name in names if access.cluster.get(name)}
        file = access.cluster.get("certificate-authority")
        if file and "certificate-authority-data" not in cluster:
            cluster["certificate-authority-data"] = base64.b64encode(_bytes_of(file)).decode()
        for one in as_list(access.cluster.get("extensions")):
            if one.get("name") == _EXTENSION:
                cluster["config"] = one.get("extension")
        spec["cluster"] = cluster
    return spec


def _bytes_of(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:  # noqa: PTH123
            return stream.read()
    except OSError as error:
        raise ConnectError(f"{file}: not readable: {error.strerror}") from None


def _output(
    words: list[str], environment: dict[str, str], plugin: Mapping[str, Any], access: Access, *, interactive: bool
) -> bytes:
    import subprocess

    of = f"the exec plugin of the user {access.user_name!r}, {words[0]!r},"
    shows_errors = sys.stderr is not None and sys.stderr.isatty()
    try:
        done = subprocess.run(
            words,
            env=environment,
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if shows_errors else subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError:
        hint = plugin.get("installHint")
        hint = f"; {shown(' '.join(hint.split()))}" if hint else ". Install it, or add its folder to PATH"
        raise ConnectError(f"{of} is not installed{hint}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "invalid arguments"
        raise ConnectError(f"{of} cannot be started: {why}") from None
    if done.returncode:
        raise ConnectError(f"{of} exited with {done.returncode}. Run it manually to see its error")
    return done.stdout


def _understood(output: bytes, plugin: Mapping[str, Any], access: Access) -> ExecCredential:
    of = f"the exec plugin of the user {access.user_name!r}, {plugin['command']!r},"
    try:
        found = decode(output)
    except MergeError:
        found = None
    if not isinstance(found, dict) or found.get("kind") != "ExecCredential":
        raise ConnectError(f"{of} did not print an ExecCredential")
    if found.get("apiVersion") != plugin["apiVersion"]:
        raise ConnectError(f"{of} did not return the apiVersion {plugin['apiVersion']}")
    status = as_map(found.get("status"))
    token, certificate, key = (status.get(name) or "" for name in ("token", "clientCertificateData", "clientKeyData"))
    if not all(isinstance(one, str) for one in (token, certificate, key)) or not (token or (certificate and key)):
        raise ConnectError(f"{of} returned neither a token nor a certificate with its key")
    return ExecCredential(token, certificate, key, _time(status.get("expirationTimestamp"), of))


def _time(text: Any, of: str) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        raise ConnectError(f"{of} returned an invalid expirationTimestamp") from None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)
