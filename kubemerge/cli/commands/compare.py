"""`kubemerge compare`: how merging differs between releases, API versions and specifications, and for one object."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

import engine

from ...offline.tables import laid_over, specification, specification_if_there
from ...output.text import how_many
from ..inputs import files
from ..options import completion as completing
from ..options.clusters import Where, server_option
from ..options.shared import html_option, last_option, live_option, namespace_option, recursive_option, schema_option
from ..terminal.console import console, console_options, echo, tell
from ..terminal.stdout import STDOUT, write_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Tables

    from ...compare.chain import Side
    from ...compare.model import Comparison, Replay
    from ...offline.pairs import Inputs
    from ...offline.tables import Schemas

FORMS = ["text", "json", "markdown", "html"]


@dataclass(frozen=True)
class _Objects:
    """The objects to apply on each side."""

    config: tuple[str, ...]
    live: tuple[str, ...]
    last: str | None
    namespace: str | None
    recursive: bool
    where: Where


@click.command()
@click.argument("sides", nargs=-1, metavar="[LEFT RIGHT | FIRST..LAST]", shell_complete=completing.releases)
@click.option(
    "--left",
    metavar="SIDE",
    shell_complete=completing.releases,
    help="The left side, as a release, a file, a folder, an address or -.",
)
@click.option("--right", metavar="SIDE", shell_complete=completing.releases, help="The right side.")
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    shell_complete=completing.kinds,
    help="Only these kinds, with commas between. May be repeated.",
)
@click.option(
    "--severity",
    type=click.Choice(["breaking", "notable", "info"]),
    default=None,
    help="Only changes at least this bad: info, and with -f notable, if not given.",
)
@click.option(
    "--server-side",
    is_flag=True,
    help="Only what makes a server-side apply own a field in another way: list types, keys and map types.",
)
@click.option(
    "-f",
    "--filename",
    "config",
    metavar="PATH",
    multiple=True,
    help="Apply this config under the rules of each side. May be repeated.",
)
@live_option
@last_option
@server_option
@namespace_option
@recursive_option
@schema_option
@click.option("-o", "--output", type=click.Choice(FORMS), default="text", help="How to print it.")
@html_option
@click.option("--exit-code", is_flag=True, help="Exit 1 if anything is found that --severity lets through.")
@click.option(
    "--write",
    is_flag=True,
    help="With -f, rewrite files whose versions are deprecated or gone at the end, where all fields are the same.",
)
@console_options
def compare(
    sides: tuple[str, ...],
    left: str | None,
    right: str | None,
    kinds: tuple[str, ...],
    severity: str | None,
    server_side: bool,
    config: tuple[str, ...],
    live: tuple[str, ...],
    last: str | None,
    context: str | None,
    kubeconfig: str | None,
    namespace: str | None,
    recursive: bool,
    schema: tuple[str, ...],
    output: str,
    html: str | None,
    exit_code: bool,
    write: bool,
) -> int:
    """Show what merges differently: between two releases (`1.12 1.37`), along a range (`1.25..1.37`), between two
    API versions (`apps/v1beta1/Deployment@1.12 apps/v1/Deployment@1.37`), or between any two specifications
    (`--left cluster.json --right 1.37`).

    With -f, tell what an upgrade does to the objects of a config: versions that are gone, fields that are dropped,
    values that are refused, other default values, other results of an apply; without sides, under all releases. The
    values of Secrets are masked. With -q nothing is printed; combine it with --exit-code or --html.
    """
    where = Where(None, None, context, kubeconfig)
    objects = _Objects(config, live, last, namespace, recursive, where)
    _check(objects, kinds, write=write)
    if objects.config and server_side:
        raise click.UsageError("--server-side chooses changes of rules; leave it out with -f")
    chain = _chain(_texts(sides, left, right, bool(config)), schema)
    found: _Replays | _Compared
    if config:
        found = _Replays(chain, objects, severity or "notable")
    else:
        found = _Compared(chain, kinds, severity or "info", server_side=server_side)
    if not console().quiet and html != STDOUT:
        _print(found.printed(output), output)
    if html:
        write_page(html, found.page())
    if write and isinstance(found, _Replays):
        found.write()
    return found.failed or int(exit_code and found.differs)


def _print(printed: str, output: str) -> None:
    if output != "text":
        echo(printed)
        return
    from ..terminal.colours import with_severities

    tell(with_severities(printed.split("\n")))


def _check(objects: _Objects, kinds: Sequence[str], *, write: bool) -> None:
    """Refuse options that make no sense together."""
    if any(not kind.strip(" ,") for kind in kinds):
        raise click.UsageError("--kind is empty; give a kind, or leave out --kind")
    if objects.config and kinds:
        raise click.UsageError("--kind chooses changes of rules; leave it out with -f")
    if write and not objects.config:
        raise click.UsageError("--write rewrites the files of a config; give one with -f")
    of_objects = objects.live or objects.last or objects.namespace or objects.recursive or objects.where.is_server
    if not objects.config and of_objects:
        raise click.UsageError("--live, --last-applied, --context, -n and -R need a config; give one with -f")


def _texts(sides: tuple[str, ...], left: str | None, right: str | None, replays: bool) -> list[str]:
    """The sides from left to right, as they were typed: two, or one range."""
    from ...compare.sides import is_range

    found = [left, *sides] if left is not None else [*sides]
    found = [*found, right] if right is not None else found
    texts = [text for text in found if text is not None] or ([".."] if replays else [])
    if len(texts) == 2 or (len(texts) == 1 and is_range(texts[0])):
        return texts
    raise click.UsageError(
        "give two sides, as in `1.12 1.37` or `--left spec.json --right 1.37`, or one range, as in `1.25..1.37`"
    )


def _chain(texts: Sequence[str], schemas: tuple[str, ...]) -> list[Side]:
    """The sides with their tables; --schema is laid over each of them."""
    from ...compare.chain import Side
    from ...compare.sides import releases_of, side

    layers = [specification(one, files()) for one in schemas]

    def over(tables: Tables) -> Tables:
        return laid_over(tables, layers)

    if len(texts) == 1:
        return [Side(release, over(engine.load(release))) for release in releases_of(texts[0])]
    return [side(text, partial(specification_if_there, files=files()), over) for text in texts]


class _Compared:
    """The rules of the sides, compared."""

    failed = 0

    def __init__(self, chain: Sequence[Side], kinds: Sequence[str], severity: str, *, server_side: bool) -> None:
        from ...compare.chain import about_ownership, at_least, compare
        from ...kinds.find import find_all

        keys = {key for side in chain for key in side.kinds()}
        found = compare(chain, find_all(kinds, keys) if kinds else None)
        self._found: Comparison = at_least(about_ownership(found) if server_side else found, severity)

    @property
    def differs(self) -> bool:
        """Whether a change is left."""
        return bool(self._found.changes)

    def page(self) -> str:
        """The comparison as HTML."""
        from ...html import compare_page

        return compare_page(self._found)

    def printed(self, form: str) -> str:
        """The comparison in one of the forms."""
        from ...compare.reports import facts, markdown, text

        if form == "json":
            return _json(facts.comparison_facts(self._found))
        if form == "html":
            return self.page()
        return (markdown.comparison_markdown if form == "markdown" else text.comparison_text)(self._found)


class _Replays:
    """The objects of a config, applied on each side."""

    def __init__(self, chain: Sequence[Side], objects: _Objects, severity: str) -> None:
        from ...compare.replay import replay
        from ...compare.upgrade.folded import at_least
        from ...offline.tables import Schemas

        for side in chain:
            if side.only:
                raise click.UsageError(f"{side.name} is one kind; with -f the objects say their kinds, so leave it out")
        newest = Schemas(chain[-1].tables)
        self._sides = [side.name for side in chain]
        self._release = chain[-1].tables.release
        self._found: list[Replay] = [at_least(replay(one, chain), severity) for one in _inputs(objects, newest)]
        self._tell_of_unknown(chain)

    def _tell_of_unknown(self, chain: Sequence[Side]) -> None:
        """Say of which objects no side knows the kind: that nothing changes would be too much to say of them."""
        from ...compare.replay import is_known, key_of

        unknown = [key_of(one.config) for one in self._found if not is_known(one.config, chain)]
        if unknown:
            named = ", ".join(sorted({f"{kind} of {version}" for version, kind in unknown}))
            console().say(
                f"no schema is known of {how_many(len(unknown), 'object')} ({named}), so only what kubectl makes of "
                "the text is compared (see --schema)"
            )

    @property
    def differs(self) -> bool:
        """Whether there is a finding about an object."""
        return any(replay.differs for replay in self._found)

    @property
    def failed(self) -> int:
        """2 if an object has no result on any side, which is reported; else 0."""
        hopeless = [replay for replay in self._found if all(group.outcome is None for group in replay.groups)]
        for replay in hopeless:
            console().complain(f"{replay.title} has no result: {replay.groups[-1].problem}")
        return 2 if hopeless else 0

    def page(self) -> str:
        """The replays as HTML."""
        from ...html import replay_page

        return replay_page(self._found)

    def printed(self, form: str) -> str:
        """The replays in one of the forms."""
        from ...compare.reports import facts, markdown, upgrade

        if form == "json":
            return _json([facts.replay_facts(replay) for replay in self._found])
        if form == "html":
            return self.page()
        printed = markdown.upgrade_markdown if form == "markdown" else upgrade.upgrade_text
        return printed(self._found, self._sides)

    def write(self) -> None:
        """Rewrite the files, and say what was done."""
        from ...offline.rewriting import convert

        if self._release is None:
            raise click.UsageError("--write needs a release as the last side; give one")
        for line in convert(((one.source, one.line, one.config) for one in self._found), self._release):
            console().report(line)


def _inputs(objects: _Objects, newest: Schemas) -> Iterator[Inputs]:
    """The objects of the config, each with its live object: of files, or of a server."""
    from ...offline.pairs import about, no_object_in, pair

    asked = {"namespace": objects.namespace, "recursive": objects.recursive}
    if not objects.where.is_server:
        yield from pair(objects.config, objects.live, objects.last, newest, files(), **asked)  # type: ignore[arg-type]
        return
    from ...manifests.objects import read_manifests
    from ...offline.server_objects import ServerObjects
    from ..options.clusters import connected
    from ..runs.merge import refuse_files

    refuse_files(objects.live, objects.last)
    manifest = None
    with connected(objects.where) as cluster:
        others = ServerObjects(cluster, objects.namespace, newest)
        manifests = read_manifests(objects.config, files(), recursive=objects.recursive)
        for manifest in others.asked_ahead(manifests):
            with about(manifest):
                found = others.of(manifest)
            yield found
    if manifest is None:
        raise no_object_in(objects.config)


def _json(facts: object) -> str:
    import json

    return json.dumps(facts, indent=2, ensure_ascii=False)
