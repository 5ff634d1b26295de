"""Print the origin of each field: the implementation of `kubemerge blame`."""

from __future__ import annotations

from engine.values.go_json import encode
from engine.values.plain import ABSENT

from ...apiserver.text.text import how_many, shown, some
from ...blame.facts import Values, facts
from ...blame.fields import blamed
from ...blame.sources import Sources
from ...offline.pairs import OnServer
from ...ownership.reasons import objects_with
from ...ownership.writers import APPLIED, in_words, kind_of
from ..terminal.colours import ACTIONS, OWNERS, painted, styled
from ..terminal.console import console, tell
from ..terminal.stdout import print_facts
from .merge import Applying
from .print_reasons import UNTRACKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import engine
    from engine.paths import Steps

    from ...blame.fields import BlamedField, BlamedObject
    from ...blame.sources import Source
    from ...offline.pairs import Merged
    from .merge_request import MergeRequest

_NO_LIVE = "no live objects, so only the config is shown (see --live and --context)"
_WIDEST = 56
"""Maximum length of a path whose reason is printed in a column."""
_VALUE, _COLUMN = 40, 24
"""Maximum length of a value that is not shortened, and of one that is in a column."""
_AUTHOR, _SUMMARY = 24, 16
"""Maximum length of an author's name, and the length of a summary that is printed on a full line."""
_LINE = 120
"""Maximum length of a line with a commit."""
_HASH = 8
_MOST = 3
"""Maximum number of files named in a line."""


def print_blame(
    asked: MergeRequest,
    path: str | None = None,
    output: str = "text",
    *,
    everything: bool = False,
    show_secrets: bool = False,
    by: OnServer | None = None,
    raw: bool = False,
) -> int:
    """Print the writers of each field in the config and in live, and the effect of an apply. Return the exit code."""
    # Conflicts are found apart, so that one does not hide the other fields.
    applying = Applying(asked, by=by and OnServer(by.manager, force=True), predicts=not raw)
    sources = Sources(asked.config, recursive=asked.recursive)
    found: list[dict[str, Any]] = []
    untracked = some_found = False
    report = _Report(applying, secrets=show_secrets)
    for one in _blamed(applying, path, sources, everything=everything, by=by):
        some_found = True
        untracked = untracked or (one.merged.before is not None and not one.is_tracked)
        if output == "json":
            found += facts(one, secrets=show_secrets)
        else:
            report.print(one, path)
    if output == "json":
        print_facts(found)
    _print_notes(sources)
    if applying.all_unknown and some_found:
        console().say(_NO_LIVE)
    elif untracked:
        console().say(UNTRACKED)
    return applying.exit_code


def _blamed(
    applying: Applying, path: str | None, sources: Sources, *, everything: bool, by: OnServer | None
) -> Iterator[BlamedObject]:
    """The objects that can have the field. If none can, that is an error."""

    def find(merged: Merged, steps: Steps) -> BlamedObject:
        return blamed(merged, steps, sources, everything=everything or bool(path), by=by)

    return (one for _, one in objects_with(applying, path, find, lambda one: bool(one.fields)))


def _print_notes(sources: Sources) -> None:
    for problem, files in sources.problems.items():
        console().say(f"no commits of {some([shown(one) for one in files], _MOST)}: {problem}")
    if sources.shallow:
        console().say("^ marks commits whose history is missing: the clone is shallow (git fetch --unshallow)")


class _Report:
    """The report as lines. A manager has the same colour in all objects."""

    def __init__(self, applying: Applying, *, secrets: bool) -> None:
        self._applying, self._secrets = applying, secrets
        self._colours: dict[str, str] = {}

    def print(self, one: BlamedObject, path: str | None) -> None:
        """Print the fields of one object."""
        values = Values(one, secrets=self._secrets)
        fields = [field for field in one.fields if values.may_print(field)]
        inputs = one.merged.inputs
        lines = [f"{painted(inputs.title, 'title')}  {inputs.manifest.place}"]
        if not fields:
            nothing = f"{path} is not in the config, the live object or the last applied config"
            lines.append(f"  {nothing if path else 'no fields'}")
        width = min(max((len(field.change.path) for field in fields), default=0), _WIDEST)
        texts = [_texts(field, values) for field in fields]
        column = max((len(text) for pair in texts for text in pair if len(text) <= _COLUMN), default=0)
        for field, pair in zip(fields, texts, strict=True):
            lines += self._field(field, pair, width, column, tracked=one.is_tracked)
        conflicts = sum(bool(field.conflicts) for field in fields)
        if conflicts:
            lines.append(f"  the server rejects the apply: {how_many(conflicts, 'conflict')}")
        tell(lines, tables=False)

    def _field(
        self, field: BlamedField, texts: tuple[str, str], width: int, column: int, *, tracked: bool
    ) -> Iterator[str]:
        change = field.change
        reason = "" if self._applying.all_unknown else change.reason
        yield f"  {change.path:{width}}  {painted(shown(reason), _meaning(field))}".rstrip()
        column = max(column, *map(len, texts))
        if texts[0]:
            begin = f"    {painted('config', 'faint')}  {texts[0]:{column}}  "
            yield f"{begin}{_origin(field.source, _LINE - column - 14)}".rstrip()
        if texts[1]:
            writers = [*self._writers(field, tracked=tracked)]
            yield f"    {painted('live', 'faint')}    {texts[1]:{column}}  {writers[0]}".rstrip()
            yield from (f"{' ' * (column + 14)}{writer}" for writer in writers[1:])

    def _writers(self, field: BlamedField, *, tracked: bool) -> Iterator[str]:
        """The writers of a live value, at least one text."""
        names = [self._named(one) for one in field.owners]
        if field.default_of is not None:
            since = f" since {field.default_since}" if field.default_since else ""
            yield f"default value of Kubernetes {field.default_of}{since}"
            names = [f"recorded for {name}" for name in names]
        elif not names:
            yield "" if field.is_identity or not tracked else painted("nobody", "changed")
        yield from names

    def _named(self, owner: engine.Owner) -> str:
        colour = self._colours.setdefault(owner.manager, OWNERS[len(self._colours) % len(OWNERS)])
        text = str(owner) if kind_of(owner) == APPLIED else in_words(owner)
        return styled(shown(text), fg=colour)


def _meaning(field: BlamedField) -> str:
    """The colour of a reason."""
    return "worst" if field.conflicts else ACTIONS[field.change.action]


def _texts(field: BlamedField, values: Values) -> tuple[str, str]:
    """The values in the config and in live. Empty for a missing one, and for an identity, which is the same in both."""
    config, live, _ = values.of(field)
    in_config = field.config is not ABSENT
    in_live = field.change.before is not None and not (in_config and field.is_identity)
    return _text(config) if in_config else "", _text(live) if in_live else ""


def _text(value: Any) -> str:
    text = shown(encode(value))
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 4]} ..."


def _origin(source: Source | None, room: int) -> str:
    """The lines of a value and the commit that changed them last."""
    if source is None:
        return ""
    if source.place is None:
        return "not in the file"
    lines = source.place.lines
    place = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]}-{lines[-1]}"
    if source.place.alias:
        place += f" by the alias on line {source.place.alias}"
    if source.origin is None:
        return f"{place}  {painted('not committed', 'changed')}" if source.is_known else place
    commit = source.origin.commit
    name = f"{'^' if commit.boundary else ''}{commit.id[:_HASH]}"
    author = f"{commit.date[:10]} {_cut(commit.author, _AUTHOR)}: "
    summary = _cut(commit.summary, max(_SUMMARY, room - len(f"{place}  {name} {author}")))
    return f"{place}  {painted(name, 'changed')} {author}{summary}"


def _cut(text: str, most: int) -> str:
    text = shown(text)
    return text if len(text) <= most else f"{text[: most - 3]}..."
