"""`--feature-gates`: feature gates of a cluster that differ from the defaults of its release."""

from __future__ import annotations

import click

_VALUES = {"true": True, "false": False}


def _read(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    from ...apiserver.registry.feature_gates import set_gates

    set_gates(dict(map(_pair, value.split(","))))
    context.call_on_close(lambda: set_gates({}))


def _pair(text: str) -> tuple[str, bool]:
    from difflib import get_close_matches

    from ...apiserver.registry.feature_gates import known_gates

    name, _, word = text.strip().partition("=")
    if word.lower() not in _VALUES:
        raise click.UsageError(f"--feature-gates {text!r} is not NAME=true or NAME=false")
    if name not in known_gates():
        near = get_close_matches(name, known_gates(), n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"--feature-gates: no release has the feature gate {name!r}.{hint}")
    return name, _VALUES[word.lower()]


feature_gates_option = click.option(
    "--feature-gates",
    metavar="NAME=BOOL,...",
    expose_value=False,
    callback=_read,
    help="Feature gates of the cluster, in kube-apiserver syntax. They determine the fields that are stored.",
)
