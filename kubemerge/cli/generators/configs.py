"""`create configmap` and `create secret`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .shared import Aliased, creating, list_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Cluster, Object

_hash_option = click.option("--append-hash", is_flag=True, help="Append a hash of the content to the name.")
_file_option = list_option(
    "--from-file",
    "file",
    metavar="[KEY=]PATH",
    help="A file as value. The key is its name by default. A folder adds each of its files. May be repeated.",
)


def _sources(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--from-file`, `--from-literal` and `--from-env-file`."""
    literal = click.option(
        "--from-literal", "literal", metavar="KEY=VALUE", multiple=True, help="A key and its value. May be repeated."
    )
    env_file = list_option(
        "--from-env-file", "env_file", metavar="PATH", help="A file with KEY=VALUE lines. May be repeated."
    )
    return _file_option(literal(env_file(command)))


@click.command("configmap")
@_sources
@_hash_option
@creating("failed to create configmap: ")
def config_map(_: Cluster, name: str, **options: Any) -> Object:
    """Create a ConfigMap from files, folders and literals."""
    from ...actions.generators import configs

    return configs.config_map(name, **options)


@click.group("secret", cls=Aliased, no_args_is_help=False)
def secret() -> None:
    """Create a Secret."""


@secret.command("generic")
@_sources
@click.option("--type", "type_", metavar="TYPE", default="", help="Type of the Secret.")
@_hash_option
@creating("failed to create secret ")
def generic(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Secret from files, folders and literals."""
    from ...actions.generators import configs

    return configs.secret(name, **options)


@secret.command("docker-registry")
@click.option("--docker-username", "username", metavar="NAME", default="", help="User name.")
@click.option("--docker-password", "password", metavar="WORD", default="", help="Password.")
@click.option("--docker-email", "email", metavar="ADDRESS", default="", help="Email address of the user.")
@click.option(
    "--docker-server",
    "server",
    metavar="ADDRESS",
    default="https://index.docker.io/v1/",
    show_default=True,
    help="Address of the registry.",
)
@_file_option
@_hash_option
@creating("failed to create secret ")
def docker_registry(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Secret with container registry credentials."""
    from ...actions.generators import configs

    return configs.docker_secret(name, **options)


@secret.command("tls")
@click.option("--cert", metavar="PATH", default="", help="The certificate (PEM).")
@click.option("--key", metavar="PATH", default="", help="The private key (PEM).")
@_hash_option
@creating("failed to create secret ")
def tls(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Secret with a certificate and its key."""
    from ...actions.generators import configs

    return configs.tls_secret(name, **options)


COMMANDS = {"configmap": config_map, "cm": config_map, "secret": secret}
