"""`kubemerge last-applied`: the annotation in which apply stores the config that it applied last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.last_applied import readable
from ...apiserver.text.text import how_many, shown
from ...output.secrets import is_secret
from ..options.shared import (
    config_option,
    live_option,
    namespace_option,
    recursive_option,
    release_option,
    schema_option,
)
from ..terminal.console import console, console_options, echo, tell
from ..terminal.stdout import print_facts, print_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...manifests.objects import Manifest
    from ...offline.annotations import Difference
    from ...offline.pairs import Inputs
    from ..failures import Failures

_SHOWN = 60
"""Maximum number of characters printed of a value, so that it fits on a line."""
_ADVICE = "set it with `kubemerge last-applied set`, or remove it"


def _both(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that read a config and live objects."""
    for option in (console_options, schema_option, release_option, namespace_option, recursive_option, live_option):
        command = option(command)
    return config_option(command)


@click.group("last-applied", no_args_is_help=False)
def last_applied() -> None:
    """View, set or check the last-applied-configuration annotation."""


@last_applied.command()
@click.option(
    "-f",
    "--filename",
    "--live",
    "live",
    metavar="PATH",
    multiple=True,
    required=True,
    help="Live objects: a file, folder, glob, URL, or - for standard input. May be repeated.",
)
@recursive_option
@click.option("-o", "--output", type=click.Choice(["yaml", "json"]), default="yaml", help="Output format.")
@console_options
def view(live: tuple[str, ...], recursive: bool, output: str) -> int:
    """Print the last applied config of each live object.

    If an object lacks the annotation, the error is printed, the other objects are still printed, and the exit code is
    2.
    """
    from ...offline.annotations import applied_last
    from ...offline.pairs import no_object_in
    from ..failures import Failures

    failures = Failures()
    found = []
    for manifest in failures.live(live, recursive=recursive):
        with failures.catch(manifest.place, manifest.title), readable(_ADVICE):
            found.append(applied_last(manifest.content))
    if found:
        print_objects(found, output)
    elif not failures.count:
        raise no_object_in(live)
    return failures.exit_code


@last_applied.command("set")
@_both
@click.option("--create-annotation", is_flag=True, help="Add the annotation if the live object has none.")
@click.option(
    "-o", "--output", type=click.Choice(["yaml", "json", "patch"]), default="yaml", help="Output for each object."
)
def set_(output: str, create_annotation: bool, **asked: Any) -> int:
    """Print live objects with the annotation set to the config.

    Nothing else in them changes. `-o patch` prints the JSON merge patch for each object, or `{}` if the annotation is
    up to date.
    """
    import engine

    from ...offline.annotations import set_patch
    from ..failures import Failures

    failures = Failures()
    patches, objects = [], []
    for manifest, inputs in _inputs(asked, failures):
        with failures.catch(manifest.place, inputs.title), readable(_ADVICE):
            patch = set_patch(inputs, create=create_annotation)
            live = inputs.live.content if inputs.live else {}
            patches.append(patch)
            objects.append(engine.json_apply_patch(live, patch))
            console().say(f"{inputs.title} {'set' if patch else 'no changes required'}")
    if output == "patch":
        from engine.values.go_json import encode

        for patch in patches:
            echo(encode(patch))
    elif objects:
        print_objects(objects, output)
    return failures.exit_code


@last_applied.command()
@_both
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
def check(output: str, **asked: Any) -> int:
    """Report fields that differ between the annotation and the config.

    Exit codes: 0: no differences, 1: different or missing, 2: error. Values of Secrets are not shown.
    """
    from ...offline.annotations import differences
    from ..failures import Failures

    failures = Failures()
    found: list[tuple[Inputs, Sequence[Difference]]] = []
    for manifest, inputs in _inputs(asked, failures):
        with failures.catch(manifest.place, inputs.title), readable(_ADVICE):
            found.append((inputs, differences(inputs, manifest.content)))
    if output == "json":
        print_facts([_facts(inputs, one) for inputs, some in found for one in some])
    else:
        for inputs, some in found:
            for one in some:
                tell([shown(f"{inputs.title} {_line(inputs, one)}")])
    differing = sum(bool(some) for _, some in found)
    if found:
        console().say(f"{differing} of {how_many(len(found), 'object')} changed since the last apply")
    return failures.exit_code or (1 if differing else 0)


def _inputs(asked: dict[str, Any], failures: Failures) -> Iterator[tuple[Manifest, Inputs]]:
    """The objects of the config as written, each with its live object. Unreadable ones are reported."""
    from ...offline.pairs import Others, no_object_in
    from ..inputs import files, schemas

    if not asked["live"]:
        raise click.UsageError("pass --live: the objects with the annotation")
    known = schemas(asked["release"], asked["schema"], asked["config"], recursive=asked["recursive"])
    others = Others(asked["live"], None, known, files(), namespace=asked["namespace"], recursive=asked["recursive"])
    seen = False
    for manifest in failures.manifests(asked["config"], recursive=asked["recursive"]):
        seen = True
        with failures.catch(manifest.place, manifest.title):
            yield manifest, others.of(manifest)
    if not seen and not failures.count:
        raise no_object_in(asked["config"])


def _line(inputs: Inputs, one: Difference) -> str:
    if one.path == ".":
        return "was never applied: " + (
            "the live object has no annotation" if inputs.live else "there is no live object"
        )
    from engine.values.plain import ABSENT

    hidden = is_secret(inputs.config)
    another = "one" if one.applied is ABSENT else "another"
    applied, config = _brief(one.applied, "one" if hidden else ""), _brief(one.config, another if hidden else "")
    return f"{one.path}: last applied {applied}, config {config}"


def _brief(value: Any, instead: str) -> str:
    """The value of one side, or `instead` if it is confidential."""
    from engine.values.go_json import encode
    from engine.values.plain import ABSENT

    if value is ABSENT:
        return "has none"
    if instead:
        return f"has {instead}"
    text = encode(value)
    return f"has {text if len(text) <= _SHOWN else f'{text[: _SHOWN - 3]}...'}"


def _facts(inputs: Inputs, one: Difference) -> dict[str, Any]:
    """A difference for programs. A side has no value if it lacks the field or is a Secret."""
    from engine.values.plain import ABSENT

    facts = {"object": inputs.title, "file": inputs.manifest.source, "line": inputs.manifest.line, "path": one.path}
    sides = {} if is_secret(inputs.config) or one.path == "." else {"lastApplied": one.applied, "config": one.config}
    return {**facts, **{name: value for name, value in sides.items() if value is not ABSENT}}
