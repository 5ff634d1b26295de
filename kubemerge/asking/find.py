"""Finding the kind that somebody typed: `deployment`, `deploy`, `deployments.apps`, `apps/v1/Deployment`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import engine
from engine import UnknownKind

from ..kind_names import SHORT_NAMES, Word, names_of, plural, rank

if TYPE_CHECKING:
    from engine import Schema, Tables


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
    return tables.schema(*key), path


def _called(tables: Tables, word: Word) -> list[tuple[str, str]]:
    """The apiVersions and kinds that a word may begin with."""
    return [key for key in tables.kinds() if word.calls(key[0], names_of(key[1]))]


def _not_in(tables: Tables, word: Word, api_version: str) -> NoSuchKind:
    """The error that an apiVersion has no such kind, with where it is served."""
    try:
        tables.schema(api_version, SHORT_NAMES.get(word.name.lower(), word.name))
    except UnknownKind as error:
        return NoSuchKind(
            error.api_version, error.kind, release=error.release, near=error.near, served_in=error.served_in
        )
    return _unknown(tables, word.name)


def _unknown(tables: Tables, text: str) -> NoSuchKind:
    """The error that says which kinds are called nearly so, or which releases serve the kind."""
    word = Word.read(text)
    if tables.release is not None:
        for release in reversed(engine.releases()):
            elsewhere = [key for key in _called(engine.load(release), word) if not word.path(key[0])]
            if elsewhere:
                key = max(elsewhere, key=lambda key: (rank(key[0]), key))
                served = [one for one in engine.releases() if key in engine.load(one)]
                return NoSuchKind(*key, release=tables.release, served_in=served)
    best: dict[str, tuple[str, str]] = {}
    for api, kind in sorted(tables.kinds(), key=lambda key: rank(key[0])):
        if not kind.endswith("List"):
            best.update(dict.fromkeys((kind.lower(), plural(kind)), (api, kind)))
    begun = [name for name in sorted(best) if word.name and name.startswith(word.name.lower())]
    near = dict.fromkeys(best[name] for name in [*get_close_matches(word.name.lower(), best, n=4), *begun])
    return NoSuchKind(None, text, release=tables.release, near=list(near)[:3])
