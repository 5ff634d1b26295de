"""Shell completions: releases, lint codes, kinds and their fields.

Each function is the `shell_complete` of an option or argument. It returns candidates that may replace `incomplete`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click


def releases(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    """Releases, the newest first."""
    import engine

    return [release for release in reversed(engine.releases()) if release.startswith(incomplete)]


def contexts(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    """The contexts of the kubeconfig."""
    from ...client.access.kubeconfig import names

    return [name for name in names(context.params.get("kubeconfig")) if name.startswith(incomplete)]


def codes(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    """The last of several comma-separated lint codes or names. Codes are offered unless a name was started."""
    from ...linting.gate.rules import ALL as RULES

    before, comma, started = incomplete.rpartition(",")
    names = [code for code in RULES if code.startswith(started.upper())] or [
        rule.slug for rule in RULES.values() if rule.slug.startswith(started.lower())
    ]
    return [f"{before}{comma}{name}" for name in names]


def kinds(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    """Kinds in lower case, unless the word starts with a capital."""
    return _kinds(context, incomplete)


def fields(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's
    """Kinds, and fields after a dot. A single candidate is also offered with a dot, so that typing can continue."""
    from ...kinds.explain import below, field_at
    from ...kinds.find import find_field

    known, dot, started = incomplete.rpartition(".")
    if not dot:
        found = _kinds(context, incomplete)
        return [*found, f"{found[0]}."] if len(found) == 1 else found
    schema, path = find_field(_tables(context), known, context.params.get("api_version"))
    names = [field for field in below(schema, field_at(schema, path)) if field.path.startswith(started)]
    found = [f"{known}.{field.path}" for field in names]
    return [*found, f"{found[0]}."] if len(found) == 1 and any(below(schema, names[0].rule)) else found


def _kinds(context: click.Context, incomplete: str) -> list[str]:
    names = {kind for _, kind in _tables(context).kinds()}
    names -= {f"{name}List" for name in names}
    spelled = names if incomplete[:1].isupper() else {name.lower() for name in names}
    return sorted(name for name in spelled if name.startswith(incomplete))


def _tables(context: click.Context) -> Any:
    from ..inputs import tables

    return tables(context.params.get("release"), tuple(context.params.get("schema") or ()))
