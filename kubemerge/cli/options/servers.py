"""Options for fetching from a server, with certificates and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .clusters import server_option
from .durations import duration

if TYPE_CHECKING:
    from collections.abc import Callable

_OPTIONS = (
    click.option("--server", metavar="URL", help="URL of an API server, or of `kubectl proxy`."),
    click.option("--token-file", metavar="FILE", help="File with a bearer token for the server."),
    click.option("--ca-file", metavar="FILE", help="Certificate authority of the server or URL."),
    click.option("--client-cert", metavar="FILE", help="Client certificate for the server."),
    click.option("--client-key", metavar="FILE", help="Private key of the client certificate."),
    click.option(
        "--timeout",
        callback=duration(),
        default="30s",
        show_default=True,
        metavar="DURATION",
        help="Time limit for each part of a response.",
    ),
    click.option(
        "--deadline",
        callback=duration(),
        default="5m",
        show_default=True,
        metavar="DURATION",
        help="Time limit for a whole response.",
    ),
)


def server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server` or `--context`, with connection options. The latter are arguments of `codegen.sources.fetch.Fetch`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return server_option(command)
