"""Finding the kind that somebody typed: `deployment`, `deploy`, `deployments.apps`, `apps/v1/Deployment`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import engine
from engine import UnknownKind

from .names import Word, names_of, plural, rank

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema, Tables

    Key = tuple[str, str]


class NoSuchKind(UnknownKind):
    """A kind that somebody typed and these tables do not hold."""

    advice = "give its definition with --schema FILE"


def find(tables: Tables, word: str, api_version: str | None = None) -> Schema:
    """The schema of a kind as people type it; of several apiVersions the most stable one."""
    found, path = find_field(tables, word, api_version)
    if path:
        raise _unknown(tables, word)
    return found


def find_field(tables: Tables, text: str, api_version: str | None = None) -> tuple[Schema, str]:
    """A kind and the path of a field in it: `deploy.spec`, `deployments.apps.spec`, `apps/v1/Deployment.spec`."""
    word = Word.read(text)
    wanted = word.api_version or api_version
    found = [(word.path(api), (api, kind)) for api, kind in _called(tables, word) if wanted in (None, api)]
    if not found:
        raise _not_in(tables, word, wanted) if wanted else _unknown(tables, word.name)
    path, key = max(found, key=lambda one: (-len(one[0]), rank(one[1][0]), one[1]))  # the shortest: its group was named
    schema = tables.schema(*key)
    if path and schema.rule(path.partition(".")[0].partition("[")[0]) is None:
        _refuse_other_group(tables, word, key)
    return schema, path


def _refuse_other_group(tables: Tables, word: Word, key: Key) -> None:
    """What looks like a field may be the group or version of the kind in another release."""
    gone = elsewhere(word, lambda api: word.path(api) != word.rest) if tables.release is not None else None
    if gone:
        raise NoSuchKind(*gone[0], release=tables.release, near=[key], served_in=gone[1])


def elsewhere(word: Word, suits: Callable[[str], bool]) -> tuple[Key, list[str]] | None:
    """The kind of a suitable apiVersion that a word begins with in the newest release that has one, and all that do."""
    for release in reversed(engine.releases()):
        found = [key for key in _called(engine.load(release), word) if suits(key[0])]
        if found:
            best = max(found, key=lambda key: (-len(word.path(key[0])), rank(key[0]), key))
            return best, [one for one in engine.releases() if best in engine.load(one)]
    return None


def _called(tables: Tables, word: Word) -> list[tuple[str, str]]:
    """The apiVersions and kinds that a word may begin with."""
    return [key for key in tables.kinds() if word.calls(key[0], names_of(key[1]))]


def _not_in(tables: Tables, word: Word, api_version: str) -> NoSuchKind:
    """The error that an apiVersion has no such kind, with those that have it, and the releases in which it had."""
    kin = _called(tables, Word(word.name, ""))
    if not kin:
        error = _unknown(tables, word.name)
        return error if error.served_in or error.near else NoSuchKind(api_version, word.name, release=tables.release)
    kind = kin[0][1]
    releases = engine.releases() if tables.release is not None else ()
    served = [release for release in releases if (api_version, kind) in engine.load(release)]
    near = sorted(kin, key=lambda key: rank(key[0]), reverse=True)
    return NoSuchKind(api_version, kind, release=tables.release, near=near, served_in=served)


def _unknown(tables: Tables, text: str) -> NoSuchKind:
    """The error that says which kinds are called nearly so, or which releases serve the kind."""
    word = Word.read(text)
    there = elsewhere(word, lambda api: not word.path(api)) if tables.release is not None else None
    if there:
        return NoSuchKind(*there[0], release=tables.release, served_in=there[1])
    best: dict[str, tuple[str, str]] = {}
    for api, kind in sorted(tables.kinds(), key=lambda key: rank(key[0])):
        if not kind.endswith("List"):
            best.update(dict.fromkeys((kind.lower(), plural(kind)), (api, kind)))
    begun = [name for name in sorted(best) if word.name and name.startswith(word.name.lower())]
    near = dict.fromkeys(best[name] for name in [*get_close_matches(word.name.lower(), best, n=4), *begun])
    return NoSuchKind(None, text, release=tables.release, near=list(near)[:3])
