"""Shared parts of the commands below `create`: a single name, a command after `--`, creation and output."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, SERVER, mode
from ...actions.serverside.managers import CREATE
from ..flags import Misused
from ..options.clusters import (
    ClusterLocation,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    manager_option,
    opened,
    result_option,
)
from ..terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...cluster import Cluster, Object

BEHIND = "kubemerge.behind"
"""The key in click's context for the words after `--`."""


class Aliased(click.Group):
    """A group whose commands may have aliases, which its help does not list."""

    def __init__(self, *arguments: Any, **facts: Any) -> None:
        super().__init__(*arguments, **facts)
        self.aliases: dict[str, click.Command] = {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name or alias."""
        return super().get_command(ctx, cmd_name) or self.aliases.get(cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command of the first word."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise Misused(self.unknown(args), ctx)
        name, command, rest = super().resolve_command(ctx, args)
        return command.name if command else name, command, rest

    def unknown(self, words: Sequence[str]) -> str:
        """The error for an unknown command."""
        return f'unknown command "{words[0]}"'


class Dashed(click.Command):
    """A command that takes another command line after `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remove the words after `--`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[BEHIND] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


def behind() -> tuple[str, ...]:
    """The words after `--`."""
    found: tuple[str, ...] = click.get_current_context().meta.get(BEHIND, ())
    return found


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for row in csv.reader(values) for one in row)


def list_option(*names: str, **facts: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that may be repeated, and that accepts several values separated by commas."""
    return click.option(*names, multiple=True, callback=_split, **facts)


def required(values: Mapping[str, object]) -> None:
    """Reject a command line without these options, in kubectl's words."""
    missing = [f'"{flag}"' for flag, value in values.items() if value is None or value == ()]
    if missing:
        from ...actions.generators.parts import BadOptions

        raise BadOptions(f"required flag(s) {', '.join(missing)} not set")


def one_name(words: Sequence[str]) -> str:
    """The single required word."""
    if len(words) != 1:
        raise Misused(f"exactly one NAME is required, got {len(words)}")
    return words[0]


save_config_option = click.option(
    "--save-config", is_flag=True, help="Store the config in the last-applied-configuration annotation."
)
validate_option = click.option(
    "--validate",
    type=click.Choice(["strict", "warn", "ignore", "true", "false"]),
    is_flag=False,
    flag_value="strict",
    expose_value=False,
    help="Accepted but ignored: objects created from options contain only known fields.",
)


@dataclass(frozen=True)
class Creation:
    """How to create an object and print it."""

    namespace: str | None
    save_config: bool
    dry_run: str
    manager: str
    output: Any
    show_managed_fields: bool

    @classmethod
    def taken(cls, options: dict[str, Any], **known: Any) -> Creation:
        """The values of these options, which are removed from `options`. `known` supplies the other fields."""
        return cls(**known, **{one.name: options.pop(one.name) for one in fields(cls) if one.name not in known})


_OPTIONS = (
    cluster_options,
    cluster_namespace_option,
    save_config_option,
    validate_option,
    dry_run_option,
    manager_option(CREATE),
    result_option,
    console_options,
)


def creating(
    failed: str = "", *, saves: bool = True, needs: Sequence[tuple[str, str]] = ()
) -> Callable[[Callable[..., Object]], Callable[..., int]]:
    """A decorator: turn a function of a cluster, a name and options that builds an object into a command.

    `failed` is the start of kubectl's message about a rejection. Without `saves`, --save-config is accepted and
    ignored. `needs` lists the required options, each with the parameter that has its value.
    """

    def decorate(function: Callable[..., Object]) -> Callable[..., int]:
        @click.argument("words", metavar="NAME", nargs=-1)
        @wraps(function)
        def gathered(where: ClusterLocation, words: tuple[str, ...], **options: Any) -> int:
            how = Creation.taken(options)
            required({flag: options[parameter] for flag, parameter in needs})
            name = one_name(words)
            with opened(where, mode(how.dry_run)) as cluster:
                content = function(cluster, name, **options)
                after = sent(cluster, content, how, failed, save=how.save_config and saves)
                printed(after, how, "created")
            return 0

        wrapped: Callable[..., int] = gathered
        for option in reversed(_OPTIONS):
            wrapped = option(wrapped)
        return wrapped

    return decorate


def sent(cluster: Cluster, content: Object, how: Creation, failed: str = "", *, save: bool = False) -> Object:
    """The object after it was created, or as it would be sent."""
    from ...actions.generators.sending import create, prepared

    resource = cluster.resource(content["apiVersion"], content["kind"])
    whole = prepared(content, how.namespace if resource.namespaced else None, save=save)
    if how.dry_run == CLIENT:
        return whole
    at = (how.namespace or cluster.namespace) if resource.namespaced else None
    return create(cluster, whole, at, how.manager, dry_run=how.dry_run == SERVER, failed=failed)


def printed(content: Object, how: Creation, done: str) -> None:
    """Print the result."""
    from ..runs.result_lines import Results

    results = Results(how.output, how.dry_run, managed_fields=how.show_managed_fields)
    results.done(content, done)
    results.finish()
