"""Resolve the name of a kind: `deployment`, `deploy`, `deployments.apps`, `apps/v1/Deployment`.

`explain` needs one kind from a set of tables, and `compare` all kinds that match a word. Other commands need a
cluster's resource, where kinds may have custom names.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import engine
from engine import UnknownKind

from ..apiserver.kinds.names import KindName, names_of, plural, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from engine import Schema, Tables

    from ..apiserver.kinds.names import Key


class NoSuchKind(UnknownKind):
    """A kind that these tables do not have."""

    advice = "pass its definition with --schema FILE"


def meant(text: str, kinds: Iterable[Key], names: Callable[[Key], Collection[str]] | None = None) -> list[Key]:
    """The kinds among `kinds` that a word matches. Without an apiVersion in the word, all versions match.

    `names` returns the names of a kind, if they do not follow from it.
    """
    word = KindName.read(text)
    return [key for key in kinds if word.means(key[0], names(key) if names else names_of(key[1]))]


def find_all(words: Iterable[str], kinds: Collection[Key]) -> set[Key]:
    """The kinds that these words match. A word may contain several, separated by commas."""
    found: set[Key] = set()
    for word in filter(None, (part.strip() for text in words for part in text.split(","))):
        keys = meant(word, kinds)
        if not keys:
            raise _unknown(word, kinds)
        found.update(keys)
    return found


def find(tables: Tables, word: str, api_version: str | None = None) -> Schema:
    """The schema of a kind in the user's spelling, in its most stable apiVersion."""
    found, path = find_field(tables, word, api_version)
    if path:
        raise _unknown(word, tables.kinds(), tables)
    return found


def find_field(tables: Tables, text: str, api_version: str | None = None) -> tuple[Schema, str]:
    """A kind and the path of a field in it: `deploy.spec`, `deployments.apps.spec`, `apps/v1/Deployment.spec`."""
    word = KindName.read(text)
    wanted = word.api_version or api_version
    found = [(word.path(api), (api, kind)) for api, kind in _called(tables, word) if wanted in (None, api)]
    if not found:
        raise _not_in(tables, word, wanted) if wanted else _unknown(word.name, tables.kinds(), tables)
    path, key = max(found, key=lambda one: (-len(one[0]), rank(one[1][0]), one[1]))  # the shortest: it has a group
    schema = tables.schema(*key)
    if path and schema.rule(path.partition(".")[0].partition("[")[0]) is None:
        _refuse_other_group(tables, word, key)
    return schema, path


def _refuse_other_group(tables: Tables, word: KindName, key: Key) -> None:
    """Reject a path that looks like a field, but is the group or version of the kind in another release."""
    gone = _elsewhere(word, lambda api: word.path(api) != word.rest) if tables.release is not None else None
    if gone:
        raise NoSuchKind(*gone[0], release=tables.release, near=[key], served_in=gone[1])


def _elsewhere(word: KindName, suits: Callable[[str], bool]) -> tuple[Key, list[str]] | None:
    """The kind at the start of a word, in the newest release with a suitable apiVersion, and all such releases."""
    for release in reversed(engine.releases()):
        found = [key for key in _called(engine.load(release), word) if suits(key[0])]
        if found:
            best = max(found, key=lambda key: (-len(word.path(key[0])), rank(key[0]), key))
            return best, [one for one in engine.releases() if best in engine.load(one)]
    return None


def _called(tables: Tables, word: KindName) -> list[tuple[str, str]]:
    """The apiVersions and kinds that may be at the start of a word."""
    return [key for key in tables.kinds() if word.calls(key[0], names_of(key[1]))]


def _not_in(tables: Tables, word: KindName, api_version: str) -> NoSuchKind:
    """The error about an apiVersion without the kind. It lists those with the kind, and releases that had it."""
    kin = _called(tables, KindName(word.name, ""))
    if not kin:
        error = _unknown(word.name, tables.kinds(), tables)
        return error if error.served_in or error.near else NoSuchKind(api_version, word.name, release=tables.release)
    kind = kin[0][1]
    releases = engine.releases() if tables.release is not None else ()
    served = [release for release in releases if (api_version, kind) in engine.load(release)]
    near = sorted(kin, key=lambda key: rank(key[0]), reverse=True)
    return NoSuchKind(api_version, kind, release=tables.release, near=near, served_in=served)


def _unknown(text: str, kinds: Iterable[Key], tables: Tables | None = None) -> NoSuchKind:
    """The error for an unknown kind, with the releases that serve it, or similar kinds.

    Tables without a release do not mention releases.
    """
    word, release = KindName.read(text), tables.release if tables is not None else None
    there = _elsewhere(word, lambda api: not word.path(api)) if tables is None or release is not None else None
    if there:
        return NoSuchKind(*there[0], release=release, served_in=there[1])
    return NoSuchKind(word.api_version or None, text.rpartition("/")[2], release=release, near=_near(word, kinds))


def _near(word: KindName, kinds: Iterable[Key]) -> list[Key]:
    """Kinds with this name, or with a similar one. Of each, the most stable version."""
    name, known = word.name.lower(), sorted(kinds, key=lambda key: rank(key[0]))
    best: dict[str, Key] = {}
    for key in known:
        if not key[1].endswith("List"):
            best.update(dict.fromkeys((key[1].lower(), plural(key[1])), key))
    if name in best:
        return [key for key in reversed(known) if key[1] == best[name][1]][:3]
    prefix = [one for one in sorted(best) if name and one.startswith(name)]
    return list(dict.fromkeys(best[one] for one in [*get_close_matches(name, best, n=4), *prefix]))[:3]
